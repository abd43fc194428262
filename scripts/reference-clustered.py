# Writes the values that test/stats/clustered.test.ts compares with: python3 scripts/reference-clustered.py, from the top of
# the project. The variance of the share is the linearised one of a sample of clusters, as R's survey package has it for one
# stratum (svydesign(ids = ~cluster), svymean), and the interval svyciprop(method = "beta") without its correction for
# degrees of freedom.
import json
import sys

import numpy
import scipy
from scipy.stats import beta


def interval(hits, sizes, confidence):
    hits, sizes = numpy.array(hits, float), numpy.array(sizes, float)
    n, clusters = sizes.sum(), len(sizes)
    share = hits.sum() / n
    if share in (0, 1) or clusters < 2:
        size = clusters
    else:
        residuals = (hits - share * sizes) / n
        variance = clusters * numpy.var(residuals, ddof=1)
        size = n if variance == 0 else min(n, share * (1 - share) / variance)
    tail = (1 - confidence) / 2
    x = share * size
    low = 0.0 if share == 0 else beta.ppf(tail, x, size - x + 1)
    high = 1.0 if share == 1 else beta.ppf(1 - tail, x + 1, size - x)
    return float(low), float(high)


def cases():
    rng = numpy.random.default_rng(42)
    yield [0, 0, 1, 0, 0, 0, 2, 0, 0, 0], [31] * 10
    yield [0] * 12, [5] * 12
    yield [3] * 4, [3] * 4
    yield [1, 0, 0.5, 0.25], [1, 1, 1, 1]
    for clusters in (2, 5, 30, 200):
        sizes = rng.integers(1, 20, clusters)
        shares = rng.beta(0.3, 3, clusters)
        yield rng.binomial(sizes, shares).tolist(), sizes.tolist()
        yield (rng.binomial(sizes * 10, shares) / 10).tolist(), sizes.tolist()


rows = []
for hits, sizes in cases():
    for confidence in (0.9, 0.95):
        low, high = interval(hits, sizes, confidence)
        rows.append({"hits": hits, "sizes": sizes, "confidence": confidence, "low": low, "high": high})
out = {
    "script": "scripts/reference-clustered.py",
    "version": f"numpy {numpy.__version__}, scipy {scipy.__version__}, python {sys.version.split()[0]}",
    "intervals": rows,
}
with open("test/reference/clustered.json", "w") as file:
    file.write("{\n")
    file.write(f'  "script": {json.dumps(out["script"])},\n  "version": {json.dumps(out["version"])},\n  "intervals": [\n')
    file.write(",\n".join("    " + json.dumps(row) for row in rows))
    file.write("\n  ]\n}\n")
