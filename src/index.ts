/**
 * capfit as a library: recorded runs in, percentiles, caps, replay and the stop-policy card out.
 *
 * @module
 */

export { type Derivation, derive } from './calibrate/derive.js';
export { DERIVE_DEFAULTS, type DeriveOptions } from './calibrate/options.js';
export type { Questions } from './calibrate/questions.js';
export type { CapReport, DeriveGroup, DeriveReport, Method, Quantiles } from './calibrate/result.js';
export type { Dialect, Link } from './engine/ask/dialect.js';
export { questionsOf } from './engine/ask/questions.js';
export { clickHouseDialect } from './engine/ask-clickhouse/dialect.js';
export { openDuckDb } from './engine/ask-duckdb/link.js';
export { openStage, type Stage } from './engine/ask-duckdb/stage.js';
export { exportPolicy } from './exporters/export-policy.js';
export type { Export, Exporter } from './exporters/exporter.js';
export { EXPORTERS, findExporter } from './exporters/index.js';
export { type Format, isProblem, type Source } from './formats/format.js';
export { detectFormat, FORMATS, findFormat } from './formats/index.js';
export { type Mapping, mappedFormat, readMapping } from './formats/mapping/mapping.js';
export { type PolicyReading, readPolicy, writePolicyYaml } from './formats/policy/policy-file.js';
export { findPrice, type Price, type Prices, readPrices } from './formats/prices/prices.js';
export { createPricer, type Pricer, type PricingSummary, priceRun } from './formats/prices/pricing.js';
export { runOfRecord } from './formats/record.js';
export { recordOfRun, writeRecord } from './formats/record-writer.js';
export { type Outcome as Verdict, readOutcomes } from './formats/verdicts/outcomes.js';
export { joinOutcomes } from './formats/verdicts/outcomes-join.js';
export { decimalOf, type Fraction, parseDecimal } from './model/decimal.js';
export type { Json } from './model/json.js';
export { type Counters, LIMITS, type LimitName, METRICS, type Metric } from './model/limits.js';
export { isVerifiedSuccess, passCount, runTotal } from './model/measure.js';
export type { Place, Problem, Warning } from './model/problem.js';
export type { Call, Pass, Run, Totals } from './model/run.js';
export { CHECKS, type Check, CLAIMS, type Claim, STATUSES, type Status } from './model/status.js';
export { advance, type Ledger, openLedger } from './policy/ledger.js';
export { policyOf } from './policy/of-record.js';
export { EMPTY_POLICY, type Policy, type RepeatRule, type Rule } from './policy/policy.js';
export type { PolicyRecord } from './policy/policy-record.js';
export { findPreset, PRESETS, type Preset } from './policy/presets.js';
export { policyRecord } from './policy/record.js';
export { firstReached, type Reached } from './policy/stop.js';
export { type AskedDerivation, deriveAsked } from './replay/asked-derive.js';
export { replayAsked } from './replay/asked-replay.js';
export { sweepAsked, type Uncountable } from './replay/asked-sweep.js';
export { createAudit } from './replay/audit.js';
export type { AuditReport } from './replay/audit-result.js';
export {
  type CalibrateOptions,
  type CalibrateReport,
  type Calibration,
  calibrate,
  type LadderStep,
  THREE_REPEATS,
} from './replay/calibrate.js';
export { check } from './replay/check.js';
export { CHECK_DEFAULTS, type CheckBounds } from './replay/check-bounds.js';
export type { CheckFinding, CheckReport } from './replay/check-result.js';
export { CROSS_VALIDATE_DEFAULTS, type CrossValidateOptions, crossValidate } from './replay/cross-validate.js';
export type { CountedRate, CrossValidated } from './replay/cross-validate-result.js';
export { deriveReplayed, type ReplayedDeriveOptions, type ReplayedDeriveReport } from './replay/derive-replayed.js';
export { drift } from './replay/drift.js';
export type { DriftReport } from './replay/drift-result.js';
export { type Frontier, type FrontierPoint, frontierOf, type NextGoodRun, weighedIn } from './replay/frontier.js';
export { hidden } from './replay/hidden.js';
export type { HiddenReport } from './replay/hidden-result.js';
export type { JointOptions, JointReport } from './replay/joint-result.js';
export { metrics } from './replay/metrics.js';
export type { MetricsReport } from './replay/metrics-result.js';
export { PLAN_DEFAULTS, type PlanOptions, plan } from './replay/plan.js';
export type { Further, PlanClaim, PlanReport } from './replay/plan-result.js';
export { type Outcome, replayRun, type Stop } from './replay/replay.js';
export type { GroupReport, ReplayReport } from './replay/result.js';
export { benchRules, RULES_DEFAULTS, type RulesOptions } from './replay/rules-bench.js';
export type { RulesReport } from './replay/rules-result.js';
export { type SimulateOptions, simulate, simulateAll } from './replay/simulate.js';
export {
  type GridCaps,
  type PreparedRuns,
  prepareSweep,
  type SweepAnswer,
  type SweepResult,
  sweep,
  sweepGrid,
} from './replay/sweep.js';
export { bestAtValue, costOf, priceOfNext, type ValueChoice } from './replay/value.js';
export { type UndecidedValue, type ValueReport, valueAnswer, valueReport } from './replay/value-result.js';
export { type NamedPolicy, WHATIF_DEFAULTS, type WhatIfOptions, whatIf } from './replay/whatif.js';
export { type Edit, edited, scaled } from './replay/whatif-edit.js';
export type { Candidate, LimitCuts, Mover, WhatIfPolicy, WhatIfReport } from './replay/whatif-result.js';
export { buildCard, type Card, type CardFacts } from './report/card.js';
export { renderCardMarkdown, renderCardText } from './report/card-blocks.js';
export { openMetrics } from './report/openmetrics.js';
export { type GenerateOptions, generateRuns } from './synth/generate.js';
export type { Profile } from './synth/profile.js';
export { findProfile, PROFILES } from './synth/profiles.js';
