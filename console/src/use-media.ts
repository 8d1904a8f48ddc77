import { useEffect, useState } from 'preact/hooks'

/** Whether a media query matches, such as `(max-width: 60rem)`. */
export function useMedia(query: string): boolean {
  const [matches, setMatches] = useState(() => matchMedia(query).matches)
  useEffect(() => {
    const list = matchMedia(query)
    const check = () => setMatches(list.matches)
    check()
    list.addEventListener('change', check)
    return () => list.removeEventListener('change', check)
  }, [query])
  return matches
}
