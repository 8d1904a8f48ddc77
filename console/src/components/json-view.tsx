import { readableJson } from '../format.ts'

/** A value as JSON, in which no character can hide or reorder others. */
export function JsonView({ value, label }: { readonly value: unknown; readonly label: string }) {
  return (
    <pre class="code" tabIndex={0} role="region" aria-label={label}>
      {readableJson(value)}
    </pre>
  )
}
