#!/usr/bin/env bash
# The check of a machine with a GPU, without a terminal or a build tree: runs every gpu-labelled
# test, the corners and the anchor table, and prints a short table last.
# usage: check.sh FOLDER [OUT]   FOLDER holds kvprof and the *_gpu_test programs (a build folder
# will do); results and logs go to OUT (default ./gpu-check). CHECK=tests,corners,anchors,sanitizer,
# truth chooses parts (default: the first three and truth).
set -uo pipefail
folder=$(cd "$1" && pwd)
here=$(cd "$(dirname "$0")/../.." && pwd)
out=${2:-gpu-check}
parts=",${CHECK:-tests,corners,anchors,truth},"
mkdir -p "$out"
out=$(cd "$out" && pwd)
kvprof=$(find "$folder" -type f -name kvprof -perm -u+x | head -n 1)
failed=0
summary=()

# part NAME COMMAND...: runs it into a log and remembers how it ended.
part() {
    local name=$1 start=$SECONDS code=0
    shift
    "$@" >"$out/$name.log" 2>&1 || code=$?
    [ "$code" -eq 0 ] || failed=1
    summary+=("$(printf '%-28s %-8s %4d s' "$name" "$([ "$code" -eq 0 ] && echo ok || echo "exit $code")" $((SECONDS - start)))")
}

mapfile -t tests < <(find "$folder" -type f -name '*_gpu_test' -perm -u+x | sort)
if [[ $parts == *,tests,* ]]; then
    for test in "${tests[@]}"; do
        part "$(basename "$test")" "$test" --gtest_brief=1
    done
fi
if [[ $parts == *,sanitizer,* ]]; then
    for tool in memcheck racecheck initcheck; do
        # The code checks the result of every call, and some tests provoke one that fails.
        options=()
        [ "$tool" != memcheck ] || options=(--report-api-errors no)
        for test in "${tests[@]}"; do
            # The sanitizer holds CUPTI itself, and there is one place at it.
            [[ $test != *cupti_gpu_test ]] || continue
            part "$tool-$(basename "$test")" compute-sanitizer --tool "$tool" --error-exitcode 9 \
                --print-limit 5 "${options[@]}" "$test" --gtest_brief=1 --gtest_filter="${SANITIZER_FILTER:-*}"
        done
    done
fi
if [[ $parts == *,corners,* ]]; then
    part corners "$here/examples/corners.sh" "$kvprof" "$out/corners.db"
fi
if [[ $parts == *,anchors,* ]]; then
    part anchors python3 "$here/examples/anchor_table.py" "$kvprof" --db "$out/anchors.db"
    sed -n '/worst ratio/,$p' "$out/anchors.log"
fi
if [[ $parts == *,truth,* ]]; then
    part truth python3 "$here/examples/step_truth.py" "$kvprof" --db "$out/truth.db"
    cat "$out/truth.log"
fi
for log in "$out"/*.log; do
    grep -hE '^\[  FAILED|Failure|ERROR SUMMARY: [1-9]|Invalid|Race reported|Uninitialized|error:' "$log" | head -n 12
done
printf '\n%s\n' "${summary[@]}"
exit "$failed"
