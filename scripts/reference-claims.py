# Writes the values that test/stats/claim.test.ts and test/replay/plan.test.ts compare with: python3
# scripts/reference-claims.py, from the top of the project. Sample sizes are found by looking at every n with the binomial
# distribution itself; the limits are beta quantiles.
import json
import sys

import scipy
from scipy.stats import beta, binom


def needed(above, share, confidence):
    n = max(above + 1, 1)
    step = 1
    # The chance of so few falls with n: coarse steps first.
    while binom.cdf(above, n, share) > 1 - confidence:
        n += step
        step = max(1, n // 50)
    while n > above + 1 and binom.cdf(above, n - 1, share) <= 1 - confidence:
        n -= 1
    return n


def at_rate(part, fixed, share, confidence):
    def enough(n):
        x = fixed + part * n
        return x < n and beta.ppf(confidence, x + 1, n - x) <= share

    n = 1
    while not enough(n):
        n *= 2
    low = n // 2
    while n - low > 1:
        middle = (n + low) // 2
        if enough(middle):
            n = middle
        else:
            low = middle
    return n


sizes = [
    {"above": above, "share": share, "confidence": confidence, "n": needed(above, share, confidence)}
    for confidence in (0.9, 0.95, 0.99)
    for share in (0.1, 0.05, 0.02, 0.01, 0.005, 0.001)
    for above in (0, 1, 2, 3, 5, 10)
]
limits = [
    {"above": above, "n": n, "limit": float(beta.ppf(0.95, above + 1, n - above))}
    for n in (50, 120, 310, 1000)
    for above in (0, 1, 2, 3, 5, 10)
]
rates = [
    {"part": part, "fixed": fixed, "share": share, "confidence": 0.95, "n": at_rate(part, fixed, share, 0.95)}
    for share in (0.05, 0.01)
    for part in (0, 0.1 * share, 0.5 * share, 0.9 * share, 3 / 310 if share == 0.01 else 0.03)
    for fixed in (0, 2)
]
with open("test/reference/claims.json", "w") as file:
    section = lambda name, rows: f'  "{name}": [\n' + ",\n".join("    " + json.dumps(row) for row in rows) + "\n  ]"
    version = f"scipy {scipy.__version__}, python {sys.version.split()[0]}"
    head = [f'  "script": "scripts/reference-claims.py"', f'  "version": {json.dumps(version)}']
    parts = [section("sizes", sizes), section("limits", limits), section("rates", rates)]
    file.write("{\n" + ",\n".join(head + parts) + "\n}\n")
