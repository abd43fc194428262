"""Writes the values that test/stats/kruskal.test.ts compares with: python3 scripts/reference-groups.py, from the top."""

import json
import pathlib

import numpy
import scipy
from scipy import stats

OUT = pathlib.Path("test/reference/groups.json")


def kruskal_cases():
    rng = numpy.random.default_rng(42)
    sets = [
        # No ties, two and three samples, the one above the other.
        [[1, 3, 5, 7, 9], [2, 4, 6, 8, 10]],
        [[1, 2, 3], [4, 5, 6], [7, 8, 9]],
        # Ties within and between samples; one value alone.
        [[1, 1, 2, 2], [2, 2, 3], [3]],
    ]
    for sizes, most in (((10, 12), 8), ((15, 40, 25), 20), ((11, 11, 11, 11, 11), 4), ((200, 30, 90, 10), 500)):
        sets.append([rng.integers(1, most, size).tolist() for size in sizes])
    # Shifted, so that p is tiny.
    sets.append([(rng.integers(1, 30, 120) + 15 * shift).tolist() for shift in range(3)])
    cases = []
    for samples in sets:
        found = stats.kruskal(*samples)
        cases.append({"samples": samples, "h": float(found.statistic), "p": float(found.pvalue)})
    return cases


def chi_square_cases():
    xs = [1e-6, 0.01, 0.5, 1, 2, 3.84, 7.5, 15, 40, 100, 300, 1000, 1400]
    dfs = [1, 2, 3, 4, 5, 7, 10, 25, 99, 500, 1501]
    values = ((x, df, float(stats.chi2.sf(x, df))) for x in xs for df in dfs)
    return [{"x": x, "df": df, "upper": upper} for x, df, upper in values if upper > 1e-290]


reference = {
    "script": "scripts/reference-groups.py",
    "version": f"scipy {scipy.__version__}, numpy {numpy.__version__}",
    "functions": {"kruskal": "scipy.stats.kruskal", "chiSquare": "scipy.stats.chi2.sf"},
    "kruskal": kruskal_cases(),
    "chiSquare": chi_square_cases(),
}
# One case a line.
body = ",\n".join(
    f"  {json.dumps(key)}: "
    + ("[\n" + ",\n".join(f"    {json.dumps(case)}" for case in value) + "\n  ]" if isinstance(value, list) else json.dumps(value))
    for key, value in reference.items()
)
OUT.write_text("{\n" + body + "\n}\n")
