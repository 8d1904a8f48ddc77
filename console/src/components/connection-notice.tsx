import { useEffect, useState } from 'preact/hooks'
import { texts } from '../texts.ts'

/** Says that the browser has no network. What was read stays on the page. */
export function ConnectionNotice() {
  const [isOnline, setOnline] = useState(navigator.onLine)
  useEffect(() => {
    const check = () => setOnline(navigator.onLine)
    addEventListener('online', check)
    addEventListener('offline', check)
    return () => {
      removeEventListener('online', check)
      removeEventListener('offline', check)
    }
  }, [])
  return isOnline ? null : (
    <p class="message bad" role="alert">
      {texts.states.noNetwork}
    </p>
  )
}
