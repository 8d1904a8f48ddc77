// Proofs that consist of parts, of which some can be chosen by name.

export interface Part {
  readonly tried: string
  readonly faults: readonly string[]
}

export type Report = (line: string) => void

/** By name, in their order. */
export type Parts<Sizes> = Readonly<Record<string, (seed: number, sizes: Sizes, report: Report) => Promise<Part>>>

/** Throws if a part is unknown. Without names: all parts. */
export async function proveParts<Sizes>(
  parts: Parts<Sizes>,
  named: readonly string[],
  ...args: Parameters<Parts<Sizes>[string]>
): Promise<{ readonly tried: readonly string[]; readonly lost: readonly string[] }> {
  const names = named.length > 0 ? named : Object.keys(parts)
  const chosen = names.map((name) => {
    const part = parts[name]
    if (part === undefined) throw new Error(`There is no part ${name}. Parts: ${Object.keys(parts).join(', ')}.`)
    return part
  })
  const proved: Part[] = []
  for (const prove of chosen) proved.push(await prove(...args))
  return { tried: proved.map(({ tried }) => tried), lost: proved.flatMap(({ faults }) => faults) }
}
