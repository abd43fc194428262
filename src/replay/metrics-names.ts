/** Names that the samples use for themselves. */
const TAKEN = ['status', 'reason', 'quantile', 'family'];

/**
 * Label names as OpenMetrics takes them, one for each label of the runs, in order: letters, digits and underscores, no
 * digit in front, no two underscores in front (reserved), none taken, none twice.
 */
export function labelNamesFor(labels: readonly string[]): string[] {
  const used = new Set(TAKEN);
  return labels.map((label) => {
    const plain = label.replace(/[^A-Za-z0-9_]/g, '_').replace(/^_+/, '');
    const named = /^[A-Za-z]/.test(plain) && !used.has(plain) ? plain : `label_${plain}`;
    let name = named;
    for (let again = 2; used.has(name); again++) name = `${named}_${again}`;
    used.add(name);
    return name;
  });
}
