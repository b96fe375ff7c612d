"""Headless Chromium, driven over the pipe of its DevTools protocol."""
import fcntl
import json
import os
import subprocess
import tempfile


class Page:
    """A browser with one page. Collects what the page's scripts complain of and what it asks for."""

    def __init__(self, program="chromium"):
        self.folder = tempfile.TemporaryDirectory()
        to_read, self.to = self._pipe()
        self.back, to_write = self._pipe()
        self.process = subprocess.Popen(
            [program, "--headless", "--no-sandbox", "--disable-gpu", "--remote-debugging-pipe",
             "--no-first-run", "--user-data-dir=" + self.folder.name],
            preexec_fn=lambda: (os.dup2(to_read, 3), os.dup2(to_write, 4)),
            pass_fds=(3, 4),
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_read)
        os.close(to_write)
        self.unread, self.last, self.session = b"", 0, None
        self.complaints, self.requests, self.loaded = [], [], False
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Network", "Log"):
            self.call(domain + ".enable")

    @staticmethod
    def _pipe():
        """Both ends above the numbers that the browser's side of the pipe takes."""
        ends = os.pipe()
        moved = [fcntl.fcntl(end, fcntl.F_DUPFD_CLOEXEC, 10) for end in ends]
        for end in ends:
            os.close(end)
        return moved

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.session = None
        try:
            self.call("Browser.close")
        except EOFError:
            pass
        self.process.wait()
        os.close(self.to)
        os.close(self.back)
        self.folder.cleanup()

    def _receive(self):
        while b"\0" not in self.unread:
            more = os.read(self.back, 1 << 20)
            if not more:
                raise EOFError("the browser ended")
            self.unread += more
        message, _, self.unread = self.unread.partition(b"\0")
        return json.loads(message)

    def _note(self, event):
        method, told = event.get("method"), event.get("params", {})
        if method == "Network.requestWillBeSent":
            self.requests.append(told["request"]["url"])
        elif method == "Runtime.exceptionThrown":
            self.complaints.append(json.dumps(told["exceptionDetails"])[:600])
        elif method == "Runtime.consoleAPICalled" and told["type"] in ("error", "warning", "assert"):
            self.complaints.append(json.dumps(told["args"])[:600])
        elif method == "Log.entryAdded" and told["entry"]["level"] in ("error", "warning"):
            self.complaints.append(told["entry"]["text"][:600])
        elif method == "Page.loadEventFired":
            self.loaded = True

    def call(self, method, **params):
        self.last += 1
        message = {"id": self.last, "method": method, "params": params}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.to, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._receive()
            if answer.get("id") == self.last:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                return answer["result"]
            self._note(answer)

    def open(self, file, has_scripts=True):
        """Loads a file anew and waits until it is there, and drawn."""
        self.call("Emulation.setScriptExecutionDisabled", value=not has_scripts)
        self.complaints, self.requests, self.loaded = [], [], False
        self.call("Page.navigate", url="file://" + str(file))
        while not self.loaded:
            self._note(self._receive())
        if has_scripts:
            self.settle()

    def settle(self):
        """Waits for two frames: the page has then taken note of what changed around it."""
        self.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")

    def evaluate(self, script):
        """The JSON value of an expression; of a promise, what it becomes."""
        told = self.call("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in told:
            raise RuntimeError(json.dumps(told["exceptionDetails"])[:2000])
        return told["result"].get("value")

    def look(self, width, scheme, height=900, media=""):
        """The size of the window, and what the reader prefers."""
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        self.call("Emulation.setEmulatedMedia", media=media, features=[{"name": "prefers-color-scheme", "value": scheme}])

    def press(self, key, code):
        for kind in ("keyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key=key, code=key, windowsVirtualKeyCode=code)
