import { readableJson, whole } from '../format.ts'
import { texts } from '../texts.ts'

const known: Readonly<Record<string, string>> = texts.system.fields
const words = (name: string): string => known[name] ?? name.replaceAll('_', ' ')

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** One part of the server's status: its fields with their values. */
export function StatusFacts({ title, value }: { readonly title: string; readonly value: unknown }) {
  const fields = isRecord(value) ? Object.entries(value) : [[title, value] as const]
  return (
    <section class="panel" aria-label={title}>
      <h2>{title}</h2>
      <dl class="facts">
        {fields.map(([name, own]) => (
          <div key={name}>
            <dt>{words(name)}</dt>
            <dd>{name === 'ms' && typeof own === 'number' ? texts.system.behind(whole(own)) : <Value of={own} />}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

function Value({ of: value }: { readonly of: unknown }) {
  if (value === null || value === undefined) return <span class="soft">{texts.system.nothing}</span>
  if (typeof value === 'object' && Object.keys(value).length === 0)
    return <span class="soft">{texts.system.nothing}</span>
  if (Array.isArray(value) && value.every((one) => typeof one === 'string'))
    return <span class="wrap">{value.join(', ')}</span>
  if (typeof value !== 'object') return <span class="number wrap">{String(value)}</span>
  return <code class="wrap">{readableJson(value)}</code>
}
