// State of a component that is in the address: a reload, Back, a new tab and a copied link show the same.

import { useCallback } from 'preact/hooks'
import { currentSearch, go } from './navigation.ts'
import { type Parameters, searchWith, type ValuesOf, valuesIn } from './parameters.ts'

/** Sets some of the parameters; the others, and those of other components, stay. */
type SetAddress<Own extends Parameters> = (values: Partial<ValuesOf<Own>>) => void

/**
 * The values that the address has, and how to change them. Components that share a parameter show the same value.
 * `own` must be the same object at each call: declare it outside of the component.
 *
 * ```ts
 * const SHOWN = { search: typedText(), offset: wholeNumber() }
 * const [{ search, offset }, setShown] = useAddress(SHOWN)
 * setShown({ search: 'ada', offset: 0 })
 * ```
 */
export function useAddress<Own extends Parameters>(own: Own): readonly [ValuesOf<Own>, SetAddress<Own>] {
  const values = valuesIn(own, currentSearch())
  const set = useCallback(
    (changed: Partial<ValuesOf<Own>>) => {
      const next = searchWith(own, currentSearch(), changed)
      if (next === null) return
      const text = next.search.toString()
      go(text === '' ? location.pathname : `${location.pathname}?${text}`, { replace: next.replaces })
    },
    [own],
  )
  return [values, set]
}
