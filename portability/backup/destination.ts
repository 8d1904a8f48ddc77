// Where backups are kept: named byte objects in a folder or an S3 bucket, and an exclusive lock on them.

/** The backup destination is damaged, in use or cannot be used; the message says what to do. */
export class BackupFault extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'BackupFault'
  }
}

export interface BackupDestination {
  /** For messages; without credentials. */
  readonly shown: string
  /**
   * The names that `isObjectName` accepts below a folder of backups, which ends in `/`; sorted by code unit. So nothing
   * that another program wrote is read, counted or removed.
   */
  list(folder: string): Promise<readonly string[]>
  /** A name below the folders of backups that no backup wrote; null if there is none. */
  foreignName(): Promise<string | null>
  /** Null if there is no such object. */
  read(name: string): Promise<Buffer | null>
  /** Writes all bytes or none, durably. Replaces an object of this name. */
  write(name: string, bytes: Uint8Array): Promise<void>
  /** Removing a missing object is no error. */
  remove(name: string): Promise<void>
  /** Takes the lock. Throws BackupFault if another process has it. */
  lock(): Promise<DestinationLock>
  close(): Promise<void>
}

export interface DestinationLock {
  /**
   * Throws BackupFault if another process may have taken the lock over, because this one was suspended for too long.
   */
  check(): void
  /** Asks the store, and throws as `check` does. Call it before a step that does harm without the lock. */
  confirm(): Promise<void>
  release(): Promise<void>
}
