import { signal } from '@preact/signals'
import type { MadeKey } from '../api.ts'
import { Later } from '../components/later.tsx'

interface ShownKey {
  readonly made: MadeKey
  readonly game: string
}

const shown = signal<ShownKey | null>(null)

/** Shows a new key until its dialog is closed, whatever page the person goes to meanwhile: its secret is shown once. */
export function showKey(made: MadeKey, game: string): void {
  shown.value = { made, game }
}

/** The dialog of the new key, if there is one. Once per page. */
export function ShownKeyDialog() {
  if (shown.value === null) return null
  const { made, game } = shown.value
  return (
    <Later name="new key" load={async () => (await import('./issued-key.tsx')).IssuedKey}>
      {(IssuedKey) => (
        <IssuedKey
          made={made}
          game={game}
          onClose={() => {
            shown.value = null
          }}
        />
      )}
    </Later>
  )
}
