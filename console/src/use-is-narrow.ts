import { useEffect, useState } from 'preact/hooks'

/** As in the style sheets. */
const narrow = matchMedia('(max-width: 60rem)')

/** Whether the window has no place for two columns. */
export function useIsNarrow(): boolean {
  const [isNarrow, setNarrow] = useState(narrow.matches)
  useEffect(() => {
    const check = () => setNarrow(narrow.matches)
    check()
    narrow.addEventListener('change', check)
    return () => narrow.removeEventListener('change', check)
  }, [])
  return isNarrow
}
