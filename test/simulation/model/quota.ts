// The model of a bucket's quota: what is reserved and stored, for which owner, and what was downloaded.

import { type StoredEvent, unsafeCast } from '../../../domain/event.ts'

export interface Share {
  readonly owner: string | null
  readonly bytes: number
  readonly files: number
}

interface Deleted {
  readonly deletion: string
  readonly creator: string | null
  readonly size: number
}

export class ModelQuota {
  readonly #limits: Readonly<Record<string, number>>
  /** Uploads with a reservation. */
  readonly reserved = new Map<string, Share>()
  /** Totals of settled uploads, minus what was freed. */
  readonly held: Share[] = []
  readonly #deletions = new Set<string>()
  readonly #deleted = new Map<string, Deleted>()
  readonly #stored = new Map<string, { readonly size: number; readonly creator: string | null } | null>()
  /** Download -> bytes sent; `null`: pre-reserved bytes. */
  readonly downloads = new Map<string, number>()

  constructor(limits: Readonly<Record<string, number>>) {
    this.#limits = limits
  }

  /** Bytes and files in total, or of one owner. */
  sum(owner?: string): { readonly bytes: number; readonly files: number } {
    const all = [...this.reserved.values(), ...this.held].filter((one) => owner === undefined || one.owner === owner)
    return all.reduce((sum, { bytes, files }) => ({ bytes: sum.bytes + bytes, files: sum.files + files }), NOTHING)
  }

  get sent(): number {
    return [...this.downloads.values()].reduce((sum, bytes) => sum + bytes, 0)
  }

  /** Whether that much more fits within all limits. */
  fits({ owner, bytes, files }: Share): boolean {
    const { maxBytes = 0, maxFiles = 0, playerMaxBytes = 0, playerMaxFiles = 0 } = this.#limits
    const all = this.sum()
    const own = owner === null ? NOTHING : this.sum(owner)
    const isOver =
      (bytes > 0 && (all.bytes + bytes > maxBytes || (owner !== null && own.bytes + bytes > playerMaxBytes))) ||
      (files > 0 && (all.files + files > maxFiles || (owner !== null && own.files + files > playerMaxFiles)))
    return !isOver
  }

  /** Called with events of the files' own streams. */
  stored(upload: string, replaced: { readonly size: number; readonly creator: string | null } | null): void {
    this.#stored.set(upload, replaced)
  }

  deleted({ data }: StoredEvent): void {
    const deleted = unsafeCast<Deleted>(data)
    this.#deleted.set(deleted.deletion, deleted)
  }

  happen({ type, data, meta }: StoredEvent): string[] {
    switch (type) {
      case 'UploadBegun':
      case 'UploadReassigned': {
        const { upload, owner, bytes, files } = unsafeCast<Share & { upload: string }>(data)
        const wrong = this.reserved.has(upload) === (type === 'UploadBegun') ? ['it is reserved, or is not'] : []
        if (this.#stored.has(upload) && type === 'UploadBegun') wrong.push('it became a file before')
        this.reserved.delete(upload)
        const isOver = !this.fits({ owner, bytes, files })
        this.reserved.set(upload, { owner, bytes, files })
        return isOver ? [...wrong, 'there is no room for it'] : wrong
      }
      case 'UploadSettled': {
        const { upload, held, freed } = unsafeCast<{ upload: string; held: Share; freed: Share | null }>(data)
        const wrong = this.reserved.delete(upload) ? [] : ['nothing is reserved for it']
        const replaced = this.#stored.get(upload)
        if (replaced === undefined) wrong.push('it became no file')
        if ((replaced?.size ?? 0) !== (freed?.bytes ?? 0)) wrong.push('it frees something else than it replaced')
        this.held.push(held, ...(freed === null ? [] : [negative(freed)]))
        return wrong
      }
      case 'UploadReleased': {
        const upload = String(data.upload)
        const wrong = this.reserved.delete(upload) ? [] : ['nothing is reserved for it']
        return this.#stored.has(upload) ? [...wrong, 'it became a file'] : wrong
      }
      case 'DeletionsBegun': {
        for (const deletion of unsafeCast<{ deletions: string[] }>(data).deletions) this.#deletions.add(deletion)
        return []
      }
      case 'FilesFreed':
        return unsafeCast<{ files: (Share & { deletion: string })[] }>(data).files.flatMap((one) => this.#free(one))
      case 'DownloadBegun': {
        const { monthlyDownloadBytes = 0 } = this.#limits
        const download = String(data.download)
        // A repeated call may begin its download again after the first link expired; bytes sent by the first link still
        // count.
        this.downloads.set(download, this.downloads.get(download) ?? 0)
        return this.sent + Number(data.bytes) > monthlyDownloadBytes ? ['the month is used up'] : []
      }
      case 'DownloadMetered': {
        const download = String(data.download)
        const before = this.downloads.get(download)
        this.downloads.set(download, (before ?? 0) + Number(data.bytes))
        const wrong = before === undefined && data.download !== null ? ['it was never offered'] : []
        return this.sent > (this.#limits.monthlyDownloadBytes ?? 0) ? [...wrong, 'the month is used up'] : wrong
      }
      case 'DownloadCut': {
        const { bytes, month } = unsafeCast<{ bytes: number; month: string }>(data)
        const download = String(data.download)
        const before = this.downloads.get(download) ?? 0
        this.downloads.set(download, before - bytes)
        const wrong = bytes > 0 && bytes <= before ? [] : ['it gives back more than was metered']
        return meta.time.startsWith(month) ? wrong : [...wrong, 'it was metered in another month']
      }
      default:
        return []
    }
  }

  #free({ deletion, owner, bytes, files }: Share & { readonly deletion: string }): string[] {
    const deleted = this.#deleted.get(deletion)
    const isBegun = this.#deletions.delete(deletion)
    this.held.push(negative({ owner, bytes, files }))
    if (!isBegun || deleted === undefined) return [`${deletion} was not begun, or freed before`]
    return deleted.size === bytes && deleted.creator === owner ? [] : [`${deletion} was of another file`]
  }
}

const NOTHING = { bytes: 0, files: 0 }
const negative = ({ owner, bytes, files }: Share): Share => ({ owner, bytes: -bytes, files: -files })
