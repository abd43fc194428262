/** One value with the labels that tell it from the others of its family. */
export interface MetricSample {
  readonly labels: readonly (readonly [name: string, value: string])[];
  readonly value: number;
}

/** A gauge: all its samples, under one name. */
export interface MetricFamily {
  readonly name: string;
  readonly help: string;
  /** The last word of the name. */
  readonly unit: string;
  readonly samples: readonly MetricSample[];
}

/** The runs as gauges, as `metrics --json` prints them. */
export interface MetricsReport {
  readonly schema: 'capfit/metrics@1';
  readonly population: string;
  /** The label of the runs behind each label of the samples. */
  readonly labels: { readonly [name: string]: string };
  readonly families: readonly MetricFamily[];
}
