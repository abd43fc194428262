# Writes the values that test/stats compares with: python3 scripts/reference-bootstrap.py, from the top of the project.
# Exact sign tests by scipy.stats.binomtest; percentile intervals of paired data by scipy.stats.bootstrap with many
# resamples, which ours must meet within the noise of the draws.
import json

import numpy
import scipy
from scipy import stats

signs = [(one, other) for one, other in [(0, 1), (0, 7), (2, 5), (3, 3), (1, 9), (12, 30), (100, 60), (0, 40)]]

rng = numpy.random.default_rng(20260801)


def pairs(n):
    today = numpy.round(numpy.exp(rng.normal(10, 1, n)))
    return today, numpy.minimum(today, 30_000)


def interval(today, candidate):
    def relative(one, other, axis):
        return other.sum(axis=axis) / one.sum(axis=axis) - 1

    result = stats.bootstrap(
        (today, candidate), relative, paired=True, vectorized=True, method="percentile", n_resamples=200_000,
        confidence_level=0.95, batch=1000, rng=numpy.random.default_rng(7),
    ).confidence_interval
    return [float(result.low), float(result.high)]


bootstraps = []
for n in [12, 60, 300]:
    today, candidate = pairs(n)
    bootstraps.append({"today": today.tolist(), "candidate": candidate.tolist(), "interval": interval(today, candidate)})

with open("test/reference/bootstrap.json", "w") as file:
    json.dump(
        {
            "origin": f"scripts/reference-bootstrap.py, scipy {scipy.__version__}, numpy {numpy.__version__}",
            "signs": [
                {"one": one, "other": other, "p": float(stats.binomtest(one, one + other, 0.5).pvalue)}
                for one, other in signs
            ],
            "bootstraps": bootstraps,
        },
        file,
    )
    file.write("\n")
