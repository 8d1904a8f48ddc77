// The model of buckets, folders, files and quotas, written from the specification: what each event means, independent
// of its recorder, and whether it is allowed in that state.

import { type StoredEvent, unsafeCast } from '../../../domain/event.ts'
import { ModelQuota, type Share } from './quota.ts'

export type ModelRules = Readonly<Record<string, string>>

export interface ModelFolder {
  readonly id: string
  readonly bucket: string
  readonly path: string
  readonly parent: string | null
  readonly creator: string | null
  /** Made by a player who was deleted before it was recorded, and neither removed nor released yet. */
  readonly isNameless: boolean
  rules: ModelRules
  childRules: ModelRules | null
}

export interface ModelFile {
  readonly id: string
  readonly bucket: string
  readonly path: string
  readonly folder: string
  readonly creator: string | null
  readonly created: string
  updated: string
  size: number
  blob: string
  upload: string
}

interface ModelUpload {
  readonly bucket: string
  readonly path: string
  readonly size: number
  readonly blob: string
  readonly player: string | null
  readonly expires: string
  isStored: boolean
  /** It was given up at the path of its file, so it can no longer become one. */
  isAbandoned: boolean
  end: 'completed' | 'expired' | null
  /** The version that it became, at that time. */
  became: Pick<ModelFile, 'id' | 'creator' | 'created' | 'updated'> | null
}

interface ModelBucket {
  readonly game: string
  readonly limits: Readonly<Record<string, number>>
  isDeleted: boolean
  readonly quota: ModelQuota
}

const ROOT_RULES: ModelRules = {
  list_folders: 'anyone',
  list_files: 'creator',
  mkdir: 'nobody',
  create: 'nobody',
  read: 'anyone',
  overwrite: 'creator',
  delete: 'creator',
}

export class ModelFiles {
  readonly buckets = new Map<string, ModelBucket>()
  /** By stream; root folders by `folder-<bucket>.root`. */
  readonly folders = new Map<string, ModelFolder>()
  /** By stream. */
  readonly files = new Map<string, ModelFile>()
  readonly uploads = new Map<string, ModelUpload>()
  /** Uploads whose time was over before they were opened: their quota was reserved, and the call took longer. */
  readonly neverOpened = new Set<string>()

  happen(event: StoredEvent, gone: ReadonlyMap<string, unknown>): string[] {
    return this.#wrong(event, gone).map(
      (message) => `${event.type} of ${event.stream} at ${event.revision}: ${message}`,
    )
  }

  /** The folder at a path, if it and all folders above it exist. */
  folderAt(bucket: string, path: string): ModelFolder | null {
    if (this.buckets.get(bucket)?.isDeleted !== false) return null
    const own = [...this.folders.values()].find((one) => one.bucket === bucket && one.path === path)
    if (own === undefined) return null
    if (own.parent === null) return own
    return this.folderAt(bucket, aboveOf(path))?.id === own.parent ? own : null
  }

  exists(folder: ModelFolder): boolean {
    return this.folderAt(folder.bucket, folder.path)?.id === folder.id
  }

  /** The file at a path, if its folder exists. */
  fileAt(bucket: string, path: string): ModelFile | null {
    const folder = this.folderAt(bucket, folderOf(path))
    const own = [...this.files.values()].find((one) => one.bucket === bucket && one.path === path)
    return own !== undefined && own.folder === folder?.id ? own : null
  }

  #isIn(file: ModelFile): boolean {
    return this.fileAt(file.bucket, file.path) === file
  }

  #wrong(event: StoredEvent, gone: ReadonlyMap<string, unknown>): string[] {
    const { stream, type, data, meta } = event
    const [bucket = ''] = stream.slice(stream.indexOf('-') + 1).split('.')
    if (stream.startsWith('quota-')) {
      return this.buckets.get(bucket)?.quota.happen(event) ?? ['there is no such bucket']
    }
    switch (type) {
      case 'BucketCreated': {
        const { limits } = unsafeCast<Pick<ModelBucket, 'limits'>>(data)
        const game = meta.game ?? ''
        this.buckets.set(bucket, { game, limits, isDeleted: false, quota: new ModelQuota(limits) })
        const root = { id: bucket, bucket, path: '/', parent: null, creator: null, isNameless: false, childRules: null }
        this.folders.set(`folder-${bucket}.root`, { ...root, rules: ROOT_RULES })
        return []
      }
      case 'BucketDeleted': {
        const present = this.buckets.get(bucket)
        if (present === undefined || present.isDeleted) return ['it is not there']
        present.isDeleted = true
        return []
      }
      case 'FolderCreated': {
        const { id, path, parent, creator, rules } = unsafeCast<ModelFolder>(data)
        const isThere = this.folders.get(stream)?.parent === parent
        const isNameless = creator !== null && gone.has(creator)
        this.folders.set(stream, { id, bucket, path, parent, creator, isNameless, rules, childRules: null })
        return isThere ? ['it is there already'] : []
      }
      case 'FolderRulesSet':
        return this.#setRules(event)
      case 'FolderReleased': {
        const present = this.folders.get(stream)
        if (present === undefined || present.id !== data.id || present.creator === null) return ['it is not there']
        const isDue = meta.actor === null && gone.has(present.creator)
        this.folders.set(stream, { ...present, path: String(data.path), creator: null, isNameless: false })
        return isDue ? [] : ['no call requested']
      }
      case 'FolderDeleted': {
        const isThere = this.folders.get(stream)?.id === data.id
        this.folders.delete(stream)
        return isThere ? [] : ['it is not there']
      }
      case 'FileStored':
      case 'FileOverwritten':
        return this.#store(event, bucket)
      case 'FileDeleted': {
        const present = this.files.get(stream)
        if (present === undefined) return ['it is not there']
        // The service itself deletes only files that nobody can reach any more, and those that deleted players created.
        const isDue = !this.#isIn(present) || (present.creator !== null && gone.has(present.creator))
        this.files.delete(stream)
        this.buckets.get(bucket)?.quota.deleted(event)
        const isThis = present.upload === data.upload && present.blob === data.blob && present.size === data.size
        return [
          ...(isThis ? [] : ['it is another version']),
          ...(meta.actor === null && !isDue ? ['no call requested'] : []),
        ]
      }
      case 'UploadOpened':
        this.uploads.set(idIn(stream), { ...unsafeCast<ModelUpload>(data), ...JUST_OPENED })
        return []
      case 'BytesStored': {
        const upload = this.uploads.get(idIn(stream))
        if (upload === undefined || upload.end !== null || upload.isStored) return ['it takes no bytes']
        upload.isStored = true
        return upload.size === data.size ? [] : [`they are ${data.size} bytes, not ${upload.size}`]
      }
      case 'UploadAbandoned': {
        const upload = this.uploads.get(String(data.upload))
        if (upload === undefined) return []
        upload.isAbandoned = true
        return upload.became === null ? [] : ['it became a file']
      }
      case 'UploadCompleted':
      case 'UploadExpired':
        return this.#end(event)
      default:
        return []
    }
  }

  #setRules({ stream, data }: StoredEvent): string[] {
    type Set = Pick<ModelFolder, 'rules' | 'childRules'> & { folder: string; applyToExisting: boolean }
    const { folder, rules, childRules, applyToExisting } = unsafeCast<Set>(data)
    const present = this.folders.get(stream)
    if (present?.id !== folder) return ['another folder is there']
    const below = applyToExisting ? [...this.folders.values()].filter((one) => this.#isBelow(one, present)) : []
    for (const one of below) Object.assign(one, { rules: childRules ?? rules, childRules: null })
    Object.assign(present, { rules, childRules })
    return []
  }

  #isBelow(folder: ModelFolder, above: ModelFolder): boolean {
    return (
      folder !== above && folder.bucket === above.bucket && folder.path.startsWith(above.path) && this.exists(folder)
    )
  }

  #store({ stream, type, data, meta }: StoredEvent, bucket: string): string[] {
    type Stored = ModelFile & { replaced: (Share & { upload: string; size: number; creator: string | null }) | null }
    const { replaced, upload: id, size, blob, ...fresh } = unsafeCast<Stored>(data)
    const before = this.files.get(stream)
    const upload = this.uploads.get(id)
    const wrong = (before?.upload ?? null) === (replaced?.upload ?? null) ? [] : ['it replaces another version']
    if (upload === undefined) return ['there is no such upload']
    if (!upload.isStored) wrong.push('the bytes are not there')
    if (upload.became !== null || upload.end === 'expired') wrong.push('the upload became something before')
    if (upload.size !== size || upload.blob !== blob) wrong.push('it is not what was uploaded')
    this.buckets.get(bucket)?.quota.stored(id, replaced)
    const times = { created: before?.created ?? meta.time, updated: meta.time }
    const { id: file, path, folder, creator } = fresh
    const own = type === 'FileStored' ? { id: file, path, folder, creator, created: meta.time } : before
    if (own === undefined) return [...wrong, 'there is no file to overwrite']
    const { created, creator: whose } = own
    const version = { ...own, bucket, ...times, created, creator: whose, size, blob, upload: id }
    this.files.set(stream, version)
    upload.became = { id: version.id, creator: whose, created, updated: meta.time }
    return wrong
  }

  #end({ stream, type, data, meta }: StoredEvent): string[] {
    const upload = this.uploads.get(idIn(stream))
    if (upload === undefined) {
      this.neverOpened.add(idIn(stream))
      return type === 'UploadExpired' && data.blob === null ? [] : ['it was never opened']
    }
    if (upload.end !== null) return [`it is ${upload.end} already`]
    upload.end = type === 'UploadExpired' ? 'expired' : 'completed'
    if (type === 'UploadExpired') {
      const wrong = upload.became === null ? [] : ['it became a file']
      return meta.time >= upload.expires ? wrong : [...wrong, 'its time is not over']
    }
    const { file: id, creator, created, updated } = unsafeCast<ModelFile & { file: string }>(data)
    const isSame = JSON.stringify({ id, creator, created, updated }) === JSON.stringify(upload.became)
    return isSame ? [] : ['it became another file']
  }
}

const JUST_OPENED = { isStored: false, isAbandoned: false, end: null, became: null }

const idIn = (stream: string): string => stream.slice('upload-'.length)

/** The folder of a file. */
export const folderOf = (path: string): string => path.slice(0, path.lastIndexOf('/') + 1)

const aboveOf = (path: string): string => folderOf(path.slice(0, -1))
