"""A fixture `fake`: the transfer service in memory, one for all tests, as it was at the start for each of them."""

import json
import os
import shlex
import subprocess
import urllib.request

import pytest

PROGRAM = os.environ.get("TRANSFERS_FAKE", "npx -y @transferkit/fake-server")


class Fake:
    def __init__(self, url: str) -> None:
        self.url = url

    def call(self, method: str, path: str, body: object = None) -> object:
        """Calls one of the fake's own operations, such as `POST faults`."""
        data = None if body is None else json.dumps(body).encode()
        headers = {"content-type": "application/json"}
        request = urllib.request.Request(f"{self.url}/_fake/{path}", data, headers, method=method)
        with urllib.request.urlopen(request) as response:
            return json.loads(response.read() or "null")


@pytest.fixture(scope="session")
def running_fake():
    command = [*shlex.split(PROGRAM), "--port", "0", "--json", "--transfers", "45", "--now", "2025-01-01"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        yield Fake(json.loads(process.stdout.readline())["url"])
        process.terminate()


@pytest.fixture
def fake(running_fake: Fake):
    yield running_fake
    running_fake.call("POST", "reset")
