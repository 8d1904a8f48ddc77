// What an owner marker says. Only the exact text of this installation counts as its own: a marker that is damaged,
// empty or of another form belongs to an unknown installation.

/** The owner of a file store, as this installation sees it. */
export type Owner =
  | { readonly kind: 'this' }
  | { readonly kind: 'none' }
  /** `installation` is null if the marker cannot be read. */
  | { readonly kind: 'other'; readonly installation: string | null }

const FORM = /^installation ([0-9a-f]{24})\n$/

export const markerText = (installation: string): string => `installation ${installation}\n`

/** `text`: of the marker; null if there is none. */
export function ownerIn(text: string | null, installation: string): Owner {
  if (text === null) return { kind: 'none' }
  if (text === markerText(installation)) return { kind: 'this' }
  return { kind: 'other', installation: FORM.exec(text)?.[1] ?? null }
}

/** Why this installation does not own the store, and what to do, for operators; null if it does. */
export function ownerFault(owner: Owner, installation: string): string | null {
  if (owner.kind === 'this') return null
  return (
    `the file store ${ownerText(owner)}, and this installation is ${installation}: uploads are 503 files_off, and nothing in ` +
    `the store is deleted. ${ADOPT}`
  )
}

/** The end of a sentence that begins with the store. */
export function ownerText(owner: Exclude<Owner, { kind: 'this' }>): string {
  if (owner.kind === 'none') return 'has no owner marker'
  return owner.installation === null
    ? 'has an owner marker that cannot be read'
    : `belongs to installation ${owner.installation}`
}

export const ADOPT = 'Run `scorebook files adopt` once no other installation uses that store.'
