# Writes the values that test/stats/aalen-johansen.test.ts compares with: Rscript scripts/reference-incidence.R, from the
# top of the project. Needs cmprsk (the estimate), etm (its variance and interval) and survival (data), as Debian has
# them: apt-get install r-cran-cmprsk r-cran-etm r-cran-survival.
suppressMessages({ library(cmprsk); library(etm); library(survival) })

# 35 patients after a transplant; 1 relapse, 2 death from the transplant, 0 censored; months. L. Scrucca, A. Santucci
# and F. Aversa, "Competing risk analysis using R: an easy guide for clinicians", Bone Marrow Transplantation 40 (2007).
bmt <- data.frame(
  dis = c(0,0,0,0,0,1,0,0,1,1,1,1,0,1,1,1,1,1,1,1,0,1,1,0,0,0,1,0,0,0,0,1,1,1,0),
  time = c(13,1,72,7,8,67,9,5,70,4,7,68,1,10,7,3,4,4,3,3,22,8,2,0,0,35,35,4,14,26,3,2,8,32,12),
  status = c(2,1,0,2,2,0,2,2,0,0,0,0,2,2,2,1,1,1,1,1,2,1,2,2,1,0,0,2,2,2,2,0,0,0,1)
)

numbers <- function(x) sprintf("[%s]", paste(ifelse(is.na(x), "null", sprintf("%.17g", x)), collapse = ","))

# The estimate by cuminc and, where etm tells, its variance and 95 % interval on the scale log(-log), at every time.
set <- function(name, time, status, cause) {
  times <- sort(unique(time))
  count <- function(k) sapply(times, function(t) sum(time == t & status == k))
  other <- setdiff(unique(status[status != 0]), cause)
  fit <- cuminc(time, status, cencode = 0)
  est <- timepoints(fit, times)$est[paste("1", cause), ]
  paths <- matrix(FALSE, 3, 3); paths[1, 2:3] <- TRUE
  # etm wants times above 0.
  spells <- data.frame(id = seq_along(time), from = "0", to = ifelse(status == 0, "cens", ifelse(status == cause, "1", "2")),
                       entry = 0, exit = time + 1)
  told <- summary(etm(spells, c("0", "1", "2"), paths, "cens", s = 0), ci.fun = "log-log")[["0 1"]]
  at <- match(times + 1, told$time)
  pick <- function(column) ifelse(is.na(at), NA, told[[column]][at])
  failures <- if (length(other) == 0) rep(0, length(times)) else sapply(times, function(t) sum(time == t & status %in% other))
  sprintf('    {"name": "%s", "times": %s, "successes": %s, "failures": %s, "censored": %s,\n     "incidence": %s,\n     "variance": %s,\n     "low": %s,\n     "high": %s}',
          name, numbers(times), numbers(count(cause)), numbers(failures), numbers(count(0)), numbers(est),
          numbers(pick("var")), numbers(pick("lower")), numbers(pick("upper")))
}

draw <- function(seed, n, most, weights) {
  set.seed(seed)
  data.frame(time = sample.int(most, n, replace = TRUE), status = sample(0:2, n, replace = TRUE, prob = weights))
}
ties <- draw(1, 60, 8, c(1, 2, 1)); small <- draw(2, 9, 5, c(1, 1, 1)); whole <- draw(3, 40, 12, c(0, 2, 1))

mgus <- with(mgus2, data.frame(time = ifelse(pstat == 1, ptime, futime), status = ifelse(pstat == 1, 1, 2 * death)))

published <- timepoints(cuminc(bmt$time, bmt$status, bmt$dis, cencode = 0), c(20, 40, 60))$est
content <- c(
  '  "script": "scripts/reference-incidence.R"',
  sprintf('  "version": "%s; cmprsk %s; etm %s; survival %s"', R.version.string, packageDescription("cmprsk")$Version,
          packageDescription("etm")$Version, packageDescription("survival")$Version),
  sprintf('  "sets": [\n%s\n  ]', paste(c(
    set("bmt, relapse", bmt$time, bmt$status, 1),
    set("bmt, death", bmt$time, bmt$status, 2),
    set("bmt ALL, relapse", bmt$time[bmt$dis == 0], bmt$status[bmt$dis == 0], 1),
    set("bmt AML, relapse", bmt$time[bmt$dis == 1], bmt$status[bmt$dis == 1], 1),
    set("mgus2, progression", mgus$time, mgus$status, 1),
    set("many ties", ties$time, ties$status, 1),
    set("few", small$time, small$status, 1),
    set("none censored", whole$time, whole$status, 1)
  ), collapse = ",\n"))
)
cat("{\n", paste(content, collapse = ",\n"), "\n}\n", sep = "", file = "test/reference/incidence.json")
print(published)
