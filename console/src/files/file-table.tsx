import { useState } from 'preact/hooks'
import type { Api, Folder, Listing, StoredFile } from '../api.ts'
import { ActionButton } from '../components/action-button.tsx'
import { ConfirmDialog } from '../components/confirm-dialog.tsx'
import { Name } from '../components/name.tsx'
import { ScrollRegion } from '../components/scroll-region.tsx'
import { Empty } from '../components/states.tsx'
import { Time } from '../components/time.tsx'
import { bytes } from '../format.ts'
import { PlayerById } from '../player/player-by-id.tsx'
import { runAction } from '../run-action.ts'
import { texts } from '../texts.ts'
import { toast } from '../toasts.tsx'

interface FileTableProps {
  readonly api: Api
  readonly bucket: string
  readonly listing: Listing
  readonly onFolder: (path: string) => void
  /** Whether the list is what a search found. */
  readonly isSearch: boolean
}

const { columns } = texts.files

/** The folders and files of a folder. */
export function FileTable({ api, bucket, listing, onFolder, isSearch }: FileTableProps) {
  const [deleting, setDeleting] = useState<StoredFile | null>(null)
  const [folders, files] = [listing.folders ?? [], listing.files ?? []]
  const remove = async (file: StoredFile) => {
    await api.deleteFile(bucket, file.path)
    toast(texts.files.deleted)
  }
  if (folders.length + files.length === 0 && isSearch) return <Empty title={texts.files.noMatch} />
  if (folders.length + files.length === 0) {
    return (
      <Empty title={texts.files.empty}>
        <p>{texts.files.emptyAbout}</p>
      </Empty>
    )
  }
  return (
    <>
      <ScrollRegion label={texts.files.contents} long stacks>
        <table>
          <Head />
          <tbody>
            {folders.map((folder) => (
              <FolderRow key={folder.path} folder={folder} onFolder={onFolder} />
            ))}
            {files.map((file) => (
              <FileRow key={file.id} api={api} bucket={bucket} file={file} onDelete={() => setDeleting(file)} />
            ))}
          </tbody>
        </table>
      </ScrollRegion>
      {deleting !== null && (
        <ConfirmDialog
          verb={texts.files.delete}
          title={texts.files.deleteTitle}
          onConfirm={() => remove(deleting)}
          onClose={() => setDeleting(null)}
        >
          <p class="wrap">
            <bdi>{deleting.path}</bdi>, {bytes(deleting.size)}
          </p>
          <p>{texts.files.deleteAbout}</p>
        </ConfirmDialog>
      )}
    </>
  )
}

function Head() {
  return (
    <thead>
      <tr>
        <th scope="col">{columns.name}</th>
        <th scope="col" class="right">
          {columns.size}
        </th>
        <th scope="col">{columns.type}</th>
        <th scope="col">{columns.updated}</th>
        <th scope="col">{columns.creator}</th>
        <th scope="col" class="right">
          {texts.common.actions}
        </th>
      </tr>
    </thead>
  )
}

interface FolderRowProps {
  readonly folder: Folder
  readonly onFolder: (path: string) => void
}

function FolderRow({ folder, onFolder }: FolderRowProps) {
  return (
    <tr>
      <th scope="row">
        <button type="button" class="quiet" onClick={() => onFolder(folder.path)}>
          <Name name={folder.name} id={folder.path} />/
        </button>
      </th>
      <td />
      <td class="soft">{texts.files.folder}</td>
      <td>
        <Time at={folder.created} precision="minute" />
      </td>
      <td>
        <Creator id={folder.creator} />
      </td>
      <td />
    </tr>
  )
}

interface FileRowProps {
  readonly api: Api
  readonly bucket: string
  readonly file: StoredFile
  readonly onDelete: () => void
}

function FileRow({ api, bucket, file, onDelete }: FileRowProps) {
  const download = () =>
    runAction(async () => {
      const { url } = await api.download(bucket, file.path)
      const link = document.createElement('a')
      link.href = url
      link.download = file.name
      link.click()
    })
  return (
    <tr>
      <th scope="row">
        <Name name={file.name} id={file.path} />
      </th>
      <td class="number right" title={String(file.size)}>
        {bytes(file.size)}
      </td>
      <td>
        <Name name={file.content_type} id="" />
      </td>
      <td>
        <Time at={file.updated} precision="minute" />
      </td>
      <td>
        <Creator id={file.creator} />
      </td>
      <td class="actions-cell">
        <ActionButton look="quiet" onAct={download}>
          {texts.files.download}
        </ActionButton>
        <ActionButton look="quiet danger" onAct={onDelete}>
          {texts.files.delete}
        </ActionButton>
      </td>
    </tr>
  )
}

function Creator({ id }: { readonly id: string | null }) {
  return id === null ? <span class="soft">{texts.files.noCreator}</span> : <PlayerById id={id} />
}
