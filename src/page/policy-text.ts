import { Document, isScalar, Scalar, visit } from 'yaml';
import { exportPolicy } from '../exporters/export-policy.js';
import { findExporter } from '../exporters/index.js';
import type { Json } from '../model/json.js';
import { policyOf } from '../policy/of-record.js';
import type { PolicyRecord } from '../policy/policy-record.js';
import { policyRecord } from '../policy/record.js';

/** The policy's own file, among the forms it can be copied in. */
export const OWN_FORM = 'policy.yaml';

/** A policy as text to be copied: its own file, or the settings of a framework. @param form `OWN_FORM`, or an exporter */
export function policyText(record: PolicyRecord, form: string): string {
  const exporter = findExporter(form);
  const policy = policyOf(record);
  return exporter === null ? yamlOf(policyRecord(policy)) : exportPolicy(exporter, policy).text;
}

/** Characters that hide or reorder the text around them. */
const UNSAFE = /(?!\n)[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{DI}]/gu;

/** YAML that shows as itself: what would hide or reorder text is written out, in quotes, and read back as it was. */
function yamlOf(record: { readonly [key: string]: Json }): string {
  const document = new Document(record);
  visit(document, {
    Scalar(_key, node) {
      if (isScalar(node) && typeof node.value === 'string' && node.value.search(UNSAFE) >= 0)
        node.type = Scalar.QUOTE_DOUBLE;
    },
  });
  return document.toString({ lineWidth: 100, flowCollectionPadding: false }).replace(UNSAFE, escaped);
}

function escaped(character: string): string {
  const hex = (character.codePointAt(0) as number).toString(16).toUpperCase();
  return hex.length > 4 ? `\\U${hex.padStart(8, '0')}` : `\\u${hex.padStart(4, '0')}`;
}
