import { useEffect, useState } from 'preact/hooks'
import { Later } from '../components/later.tsx'
import { texts } from '../texts.ts'

const TYPING = 'input, select, textarea, [contenteditable]'

/** Opens the search, also by `/` and by Ctrl or ⌘ K. */
export function SearchButton() {
  const [isOpen, setOpen] = useState(false)
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const isShortcut = event.key === '/' && !event.ctrlKey && !event.metaKey && !event.altKey
      const isTyping = (event.target as Element | null)?.closest?.(TYPING) != null
      const isChord = event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey) && !event.altKey
      if (event.defaultPrevented || !(isChord || (isShortcut && !isTyping))) return
      // An open dialog asks for an answer first.
      if (document.querySelector('dialog[open]') !== null) return
      event.preventDefault()
      setOpen(true)
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [])
  return (
    <>
      <button type="button" class="search-button" onClick={() => setOpen(true)}>
        {texts.search.open}
        <kbd aria-hidden="true">/</kbd>
      </button>
      {isOpen && (
        <Later name="search" load={async () => (await import('./search-dialog.tsx')).SearchDialog}>
          {(SearchDialog) => <SearchDialog onClose={() => setOpen(false)} />}
        </Later>
      )}
    </>
  )
}
