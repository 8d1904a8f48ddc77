// Placeholders in steps, and the comparison of an answer with what a step expects.

/** Replaces each `${name}` in all strings. */
export function filled<Value>(value: Value, names: ReadonlyMap<string, string>): Value {
  const text = JSON.stringify(value ?? null).replace(/\$\{(\w+)\}/g, (_, name: string) => {
    const found = names.get(name)
    if (found === undefined) throw new Error(`nothing was saved as ${name}`)
    return JSON.stringify(found).slice(1, -1)
  })
  return JSON.parse(text)
}

/** The first difference, with its JSON pointer; null if the answer has everything that is expected. */
export function difference(expected: unknown, answer: unknown, pointer = ''): string | null {
  if (Array.isArray(expected)) {
    if (!Array.isArray(answer)) return `${pointer} is no array: ${JSON.stringify(answer)}`
    if (answer.length !== expected.length) return `${pointer} has ${answer.length} elements, not ${expected.length}`
    return firstOf(expected.map((one, at) => difference(one, answer[at], `${pointer}/${at}`)))
  }
  if (!isRecord(expected)) return expected === answer ? null : `${pointer} is ${JSON.stringify(answer)}`
  if ('$type' in expected) return typeof answer === expected.$type ? null : `${pointer} is no ${expected.$type}`
  if (!isRecord(answer)) return `${pointer} is no object: ${JSON.stringify(answer)}`
  return firstOf(Object.entries(expected).map(([name, value]) => difference(value, answer[name], `${pointer}/${name}`)))
}

/** The value at a JSON pointer, as text. */
export function textAt(answer: unknown, pointer: string): string {
  const value = pointer
    .split('/')
    .slice(1)
    .reduce<unknown>((inside, name) => (isRecord(inside) ? inside[name] : undefined), answer)
  if (typeof value !== 'string') throw new Error(`there is no text at ${pointer}`)
  return value
}

const firstOf = (found: readonly (string | null)[]): string | null => found.find((one) => one !== null) ?? null

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
