"""Verifies callbacks with the library of Standard Webhooks: what it is given, and with one byte changed."""

import json
import sys

from standardwebhooks import Webhook, WebhookVerificationError


def verified(secret: str, body: str, headers: dict[str, str]) -> object:
    try:
        return Webhook(secret).verify(body, headers)
    except WebhookVerificationError:
        return None


results = [
    {
        "payload": verified(callback["secret"], callback["body"], callback["headers"]),
        "changed": verified(callback["secret"], callback["body"] + " ", callback["headers"]),
    }
    for callback in json.load(sys.stdin)
]
print(json.dumps(results))
