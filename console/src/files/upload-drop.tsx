import type { ComponentChildren } from 'preact'
import { useRef, useState } from 'preact/hooks'
import type { Api } from '../api.ts'
import { ActionButton } from '../components/action-button.tsx'
import { runAction } from '../run-action.ts'
import { texts } from '../texts.ts'

interface UploadDropProps {
  readonly api: Api
  readonly bucket: string
  readonly folder: string
  readonly children: ComponentChildren
}

/** Uploads files that are dropped on its content, or chosen. One after the other. */
export function UploadDrop({ api, bucket, folder, children }: UploadDropProps) {
  const [sending, setSending] = useState<string | null>(null)
  const [isOver, setOver] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  const upload = async (files: readonly File[]) => {
    for (const file of files) {
      setSending(file.name)
      await runAction(
        () => api.uploadFile(bucket, folder + file.name.normalize('NFC'), file),
        () => texts.files.uploaded(file.name),
      )
    }
    setSending(null)
  }
  return (
    <section
      aria-label={texts.files.upload}
      class={isOver ? 'stack dropping' : 'stack'}
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault()
        setOver(false)
        void upload([...(event.dataTransfer?.files ?? [])])
      }}
    >
      <div class="actions">
        <ActionButton
          look="primary"
          onAct={() => input.current?.click()}
          blocked={sending === null ? null : texts.files.busy}
        >
          {texts.files.upload}
        </ActionButton>
        <input
          ref={input}
          type="file"
          multiple
          hidden
          aria-label={texts.files.choose}
          onChange={(event) => {
            void upload([...(event.currentTarget.files ?? [])])
            event.currentTarget.value = ''
          }}
        />
        <span class="soft small" role="status">
          {sending === null ? texts.files.dropHere : texts.files.sending(sending)}
        </span>
      </div>
      {children}
    </section>
  )
}
