"""Plants violations in a small tree and expects each lint to name them; run by CTest."""
import contextlib
import io
import pathlib
import shutil
import tempfile
import unittest

import check_caps
import check_headers
import check_layers


class LintCase(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)

    def write(self, rel, text):
        path = self.root / rel
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def lint(self, check, *args):
        """(exit code, output) of one lint over the tree."""
        output = io.StringIO()
        with contextlib.redirect_stdout(output):
            code = check.main(self.root, *args)
        return code, output.getvalue()

    def expect_clean(self, check, *args):
        self.assertEqual(self.lint(check, *args), (0, ""))

    def expect_problem(self, check, text, *args):
        code, output = self.lint(check, *args)
        self.assertEqual(code, 1)
        self.assertIn(text, output)


class Layers(LintCase):
    def test_accepts_an_include_that_the_table_allows(self):
        self.write("db/a.cpp", '#include "capture/model/b.h"\n#include <SQLiteCpp/Database.h>\n')
        self.expect_clean(check_layers)

    def test_names_an_include_of_a_forbidden_layer(self):
        planted = {
            "analyzers/a.cpp": "db/store.h",
            "db/a.h": "capture/executor.h",
            "kernels/a.h": "capture/model/run.h",
            "capture/model/a.h": "kernels/id_math.h",
            "capture/workload/a.h": "capture/executor.h",
            "capture/a.h": "cli/commands.h",
        }
        for rel, header in planted.items():
            with self.subTest(rel):
                self.write(rel, f'\n#include "{header}"\n')
                self.expect_problem(check_layers, f"{rel}:2: ")

    def test_names_an_include_that_does_not_start_at_the_root(self):
        self.write("cli/a.cpp", '#include "commands.h"\n')
        self.expect_problem(check_layers, "cli/a.cpp:1: commands.h is not named from the")

    def test_names_a_third_party_include_in_the_wrong_place(self):
        planted = {
            "kernels/host/a.cpp": "fmt/format.h",
            "kernels/cuda/a.cu": "fmt/format.h",
            "db/store.h": "SQLiteCpp/Database.h",
            "cli/cmd_run.cpp": "CLI/CLI.hpp",
            "capture/model/a.cpp": "nlohmann/json.hpp",
        }
        for rel, header in planted.items():
            with self.subTest(rel):
                self.write(rel, f"#include <{header}>\n")
                self.expect_problem(check_layers, f"{rel}:1: ")

    def test_keeps_cuda_inside_cuda_folders(self):
        self.write("capture/cuda/a.cpp", "#include <cuda_runtime_api.h>\n#include <cupti.h>\n")
        self.write("capture/executor_factory.cpp", '#include "capture/cuda/cuda_executor.h"\n')
        self.expect_clean(check_layers)
        self.write("capture/a.cpp", "#include <cuda_runtime_api.h>\n")
        self.expect_problem(check_layers, "capture/a.cpp:1: CUDA header outside")
        self.write("capture/a.cpp", '#include "capture/cuda/cuda_executor.h"\n')
        self.expect_problem(check_layers, "capture/a.cpp:1: capture/cuda/cuda_executor.h needs")
        self.write("capture/a.cpp", "#if KVPROF_WITH_CUDA\n#endif\n")
        self.expect_problem(check_layers, "know the variant")


class Caps(LintCase):
    def function(self, head, lines):
        return f"namespace n {{\n{head} {{\n" + "    f();\n" * (lines - 1) + "}\n}\n"

    def test_accepts_400_lines_and_names_401(self):
        self.write("cli/a.h", "\n" * 400)
        self.expect_clean(check_caps)
        self.write("cli/a.h", "\n" * 401)
        self.expect_problem(check_caps, "cli/a.h:401: 401 lines, the cap is 400")

    def test_accepts_60_lines_in_a_function_and_names_61(self):
        heads = [
            "int f(int a)",
            "A::A(int a) : a_{a}, b_(a), c_{1}",
            "template<class T> struct S : B<T> {\nauto f() const -> std::vector<int>",
            'extern "C" {\nint f()',
            "struct S {\nint a{0};\nstd::vector<int> b = {1, 2};\nint f()",
        ]
        for head in heads:
            with self.subTest(head):
                self.write("db/a.cpp", self.function(head, 60))
                self.expect_clean(check_caps)
                self.write("db/a.cpp", self.function(head, 61))
                self.expect_problem(check_caps, "61 lines, the cap is 60")

    def test_is_not_misled_by_braces_in_text(self):
        noise = 'auto a = "{{";\nchar b = \'{\';\n// {\nint c = 1\'000;\nauto d = R"x({")x";\n'
        self.write("db/a.cpp", noise + self.function("int f()", 60))
        self.expect_clean(check_caps)
        self.write("db/a.cpp", noise + self.function("int f()", 61))
        self.expect_problem(check_caps, "the cap is 60")

    def test_does_not_count_a_table_or_a_class_as_a_function(self):
        self.write("db/a.cpp", "const int kTable[] = {\n" + "    1,\n" * 100 + "};\n")
        self.write("db/a.h", "class A {\n" + "    int f();\n" * 100 + "};\n")
        self.expect_clean(check_caps)

    def test_names_a_reminder_word(self):
        self.write("db/migrations/1.sql", "-- TO" + "DO: later\n")
        self.expect_problem(check_caps, "db/migrations/1.sql:1: TO" + "DO")


@unittest.skipUnless(shutil.which("g++"), "needs g++")
class Headers(LintCase):
    def test_names_a_header_that_needs_another_one_first(self):
        self.write("cli/a.h", "#pragma once\n#include <string>\ninline std::string a;\n")
        self.expect_clean(check_headers, [])
        self.write("cli/b.h", "#pragma once\ninline std::string b;\n")
        self.expect_problem(check_headers, "cli/b.h: does not compile alone", [])


if __name__ == "__main__":
    unittest.main()
