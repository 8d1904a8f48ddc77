import { localDecimal } from '../decimals.ts'

/** A decimal of the API, or a count, in the reader's notation. Copies of it are plain: `copyPlainNumbers`. */
export function NumberText({ value }: { readonly value: string | number }) {
  return (
    <span class="number" data-number>
      {localDecimal(String(value))}
    </span>
  )
}
