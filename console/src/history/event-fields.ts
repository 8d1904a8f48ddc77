/** A text among the fields of an event; null if there is none. */
export const textIn = (fields: Readonly<Record<string, unknown>>, name: string): string | null => {
  const value = fields[name]
  return typeof value === 'string' ? value : null
}
