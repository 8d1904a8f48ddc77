import { useState } from 'preact/hooks'
import type { Api, Bucket } from '../api.ts'
import { ConfirmDialog } from '../components/confirm-dialog.tsx'
import { TextField } from '../components/fields.tsx'
import { Name } from '../components/name.tsx'
import { bytes, bytesIn } from '../format.ts'
import { texts } from '../texts.ts'
import { toast } from '../toasts.tsx'

type LimitName = keyof typeof texts.files.limits

const LIMITS = Object.keys(texts.files.limits) as readonly LimitName[]
const isBytes = (name: LimitName): boolean => name.includes('bytes')

const formatted = (name: LimitName, value: number): string => (isBytes(name) ? bytes(value) : String(value))

/** The number of a limit as it is typed: of files, or of bytes with or without a unit; null if it is none. */
const limitIn = (name: LimitName, text: string): number | null =>
  isBytes(name) ? bytesIn(text) : /^\d{1,15}$/.test(text.trim()) ? Number(text) : null

type Draft = Readonly<Record<LimitName, string>>

interface LimitFieldsProps {
  readonly draft: Draft
  readonly onDraft: (draft: Draft) => void
  /** Whether an empty field leaves the limit to the server. */
  readonly isNew: boolean
}

function LimitFields({ draft, onDraft, isNew }: LimitFieldsProps) {
  return (
    <div class="fields">
      {LIMITS.map((name) => {
        const text = draft[name]
        const isFaulty = (text.trim() !== '' || !isNew) && limitIn(name, text) === null
        return (
          <TextField
            key={name}
            label={texts.files.limits[name]}
            value={text}
            onValue={(value) => onDraft({ ...draft, [name]: value })}
            problem={isFaulty ? (isBytes(name) ? texts.files.noBytes : texts.files.noNumber) : null}
          />
        )
      })}
    </div>
  )
}

/** The limits that were typed and differ from those in force; null while one of them is no number. */
function changesIn(draft: Draft, bucket: Bucket | null): Partial<Record<LimitName, number>> | null {
  const changes: Partial<Record<LimitName, number>> = {}
  for (const name of LIMITS) {
    const text = draft[name]
    if (bucket !== null && text === formatted(name, bucket[name])) continue
    if (bucket === null && text.trim() === '') continue
    const value = limitIn(name, text)
    if (value === null) return null
    changes[name] = value
  }
  return changes
}

const EMPTY = Object.fromEntries(LIMITS.map((name) => [name, ''])) as Draft

interface CreateBucketProps {
  readonly api: Api
  readonly game: string
  readonly onCreated: (bucket: Bucket) => void
  readonly onClose: () => void
}

/** Creates a bucket. Limits that are left empty get the usual values. */
export function CreateBucket({ api, game, onCreated, onClose }: CreateBucketProps) {
  const [name, setName] = useState('')
  const [draft, setDraft] = useState<Draft>(EMPTY)
  const limits = changesIn(draft, null)
  const create = async () => {
    const made = await api.createBucket(game, { name: name.trim(), ...limits })
    toast(texts.files.created(made.name))
    onCreated(made)
  }
  return (
    <ConfirmDialog
      verb={texts.files.create}
      title={texts.files.create}
      look="primary"
      onConfirm={create}
      onClose={onClose}
      isReady={limits !== null}
    >
      <TextField label={texts.common.name} value={name} onValue={setName} required />
      <details>
        <summary>{texts.files.limitsTitle}</summary>
        <p class="soft small">{texts.files.limitsOfNew}</p>
        <LimitFields draft={draft} onDraft={setDraft} isNew />
      </details>
    </ConfirmDialog>
  )
}

interface ChangeLimitsProps {
  readonly api: Api
  readonly bucket: Bucket
  readonly onClose: () => void
}

/** Changes the limits of a bucket. */
export function ChangeLimits({ api, bucket, onClose }: ChangeLimitsProps) {
  const before = Object.fromEntries(LIMITS.map((name) => [name, formatted(name, bucket[name])])) as Draft
  const [draft, setDraft] = useState<Draft>(before)
  const limits = changesIn(draft, bucket)
  const change = async () => {
    await api.changeBucket(bucket.id, limits ?? {})
    toast(texts.files.limitsChanged)
  }
  return (
    <ConfirmDialog
      verb={texts.files.changeLimits}
      title={
        <>
          {texts.files.limitsOf} <Name name={bucket.name} id={bucket.id} whole />
        </>
      }
      look="primary"
      onConfirm={change}
      onClose={onClose}
      isReady={limits !== null && Object.keys(limits).length > 0}
    >
      <LimitFields draft={draft} onDraft={setDraft} isNew={false} />
      <p class="soft small">{texts.files.limitsAbout}</p>
    </ConfirmDialog>
  )
}
