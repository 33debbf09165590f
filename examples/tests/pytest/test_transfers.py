import base64
import json
import urllib.error
import urllib.request

import pytest

CREDENTIALS = base64.b64encode(b"demo:demo-secret").decode()


def search(fake, query=""):
    headers = {"authorization": f"Basic {CREDENTIALS}"}
    with urllib.request.urlopen(urllib.request.Request(f"{fake.url}/v1/transfers/search?{query}", headers=headers)) as response:
        return json.load(response)


def test_reads_a_page(fake):
    assert len(search(fake, "limit=20")["results"]) == 20
    assert len(fake.call("GET", "requests?limit=20")["requests"]) == 1


def test_meets_a_service_that_is_down(fake):
    fake.call("POST", "faults", {"times": 1, "faults": [{"fault": "status", "status": 503}]})
    with pytest.raises(urllib.error.HTTPError, match="503"):
        search(fake)
    assert search(fake)["page_info"]["has_next_page"]


def test_finds_nothing_of_the_test_before(fake):
    assert fake.call("GET", "requests")["requests"] == []
    assert fake.call("GET", "faults")["rules"] == []
