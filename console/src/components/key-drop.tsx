import type { ComponentChildren } from 'preact'
import { texts } from '../texts.ts'

interface KeyDropProps {
  readonly onFile: (file: File) => Promise<void>
  readonly children: ComponentChildren
}

/** A page on which a key file can be dropped, or chosen below its content. */
export function KeyDrop({ onFile, children }: KeyDropProps) {
  const take = (files: FileList | null | undefined) => {
    const file = files?.[0]
    if (file !== undefined && isSecureContext) void onFile(file)
  }
  return (
    <main
      class="center"
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault()
        take(event.dataTransfer?.files)
      }}
    >
      <div class="stack sign-in">
        {children}
        {isSecureContext && (
          <label class="drop">
            <span>{texts.signIn.drop}</span>
            <input
              type="file"
              accept=".json,application/json"
              onChange={(event) => {
                take(event.currentTarget.files)
                event.currentTarget.value = ''
              }}
            />
          </label>
        )}
      </div>
    </main>
  )
}
