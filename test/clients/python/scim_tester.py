"""Has scim2-tester check an SCIM server: python scim_tester.py BASE_URL TOKEN. Prints what it found, as JSON."""

import json
import sys

from httpx2 import Client
from scim2_client.engines.httpx2 import SyncSCIMClient
from scim2_tester import check_server

base_url, token = sys.argv[1:]
http = Client(
    base_url=base_url, headers={"Authorization": f"Bearer {token}"}, timeout=30
)
results = check_server(SyncSCIMClient(http))
print(
    json.dumps(
        [
            {
                "check": result.title,
                "of": result.resource_type,
                "status": result.status.name,
                "reason": result.reason,
            }
            for result in results
        ]
    )
)
