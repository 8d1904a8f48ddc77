// Types of buckets, folders and files, as in docs/protocol.md.

export interface BucketLimits {
  readonly max_bytes: number
  readonly max_files: number
  /** Limits per player. */
  readonly player_max_bytes: number
  readonly player_max_files: number
  readonly max_file_bytes: number
  /** Per calendar month (UTC). */
  readonly monthly_download_bytes: number
}

export interface Bucket extends BucketLimits {
  readonly id: string
  readonly name: string
  readonly game: string
  readonly bytes_used: number
  readonly files: number
  readonly downloaded_this_month: number
}

export interface NewBucket extends Partial<BucketLimits> {
  readonly name: string
}

/** Absent fields are unchanged. */
export type BucketChange = Partial<NewBucket>

export type Level = 'nobody' | 'creator' | 'player' | 'anyone'

export interface FolderRules {
  readonly list_folders: Level
  readonly list_files: Level
  readonly mkdir: Level
  readonly create: Level
  readonly read: Level
  readonly overwrite: Level
  readonly delete: Level
}

export interface Folder {
  /** Ends in `/`. */
  readonly path: string
  readonly name: string
  /** The player who created it; null for the tenant. */
  readonly creator: string | null
  readonly created: string
}

export interface RuledFolder extends Folder {
  readonly rules: FolderRules
  /** Rules of new folders inside; null: a copy of `rules`. */
  readonly child_rules: FolderRules | null
}

export interface StoredFile {
  /** Unchanged by overwrites. */
  readonly id: string
  readonly path: string
  readonly name: string
  readonly size: number
  readonly content_type: string
  readonly sha256: string | null
  readonly creator: string | null
  readonly created: string
  readonly updated: string
}

export interface Listing {
  readonly path: string
  /** Null if the caller may not see them. */
  readonly folders: readonly Folder[] | null
  readonly folder_count: number | null
  readonly files: readonly StoredFile[] | null
  readonly file_count: number | null
  readonly offset: number
  readonly limit: number
}

export interface NewUpload {
  readonly path: string
  /** The exact number of bytes; the link accepts no other. */
  readonly size: number
  readonly content_type?: string
  /** Hex; the store checks the bytes against it. */
  readonly sha256?: string
}

export interface BegunUpload {
  readonly upload_id: string
  readonly method: 'PUT'
  /** URL to send the bytes to, with `headers` and without the bearer token. */
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** Seconds. */
  readonly expires_in: number
}

export interface Download extends StoredFile {
  /** URL of the bytes; send no bearer token. */
  readonly url: string
  readonly expires_in: number
}

export interface Explained {
  readonly path: string
  readonly player: string | null
  readonly folder: string
  readonly exists: boolean
  readonly rules: readonly {
    readonly rule: keyof FolderRules
    readonly level: Level
    readonly admitted: boolean
    readonly why: string
  }[]
}
