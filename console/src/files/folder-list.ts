// A page of a folder's content, as the server answers it or as a search makes it. Folders and files are two lists,
// which share limit and offset.

import type { Api, Listing } from '../api.ts'
import { matches, PAGE_ROWS_MAX, ROWS_MAX } from '../rows-of-pages.ts'

const FOLDER_LIMIT = 100

interface FolderPage {
  readonly listing: Listing
  /** Of the longer one of the two lists. */
  readonly count: number
  readonly offset: number
  readonly limit: number
  readonly next_offset: number | null
}

const pageOf = (listing: Listing): FolderPage => {
  const { folder_count: folders, file_count: files, offset, limit } = listing
  const count = Math.max(folders ?? 0, files ?? 0)
  const next = offset + limit
  return { listing, count, offset, limit, next_offset: next < count ? next : null }
}

/** Without a search it costs one call, else one per 100 files or folders, of at most 10,000. */
export async function folderPage(
  api: Pick<Api, 'list'>,
  { bucket, path, search, offset }: { bucket: string; path: string; search: string; offset: number },
): Promise<FolderPage> {
  if (search === '') return pageOf(await api.list(bucket, path, { limit: FOLDER_LIMIT, offset }))
  const pages: Listing[] = []
  for (let at = 0; at < ROWS_MAX; at += PAGE_ROWS_MAX) {
    const page = await api.list(bucket, path, { limit: PAGE_ROWS_MAX, offset: at })
    pages.push(page)
    if (pageOf(page).next_offset === null) break
  }
  const found = <Row extends { readonly name: string }>(rows: readonly Row[]) =>
    rows.filter(({ name }) => matches(search, name))
  const folders = found(pages.flatMap((page) => page.folders ?? []))
  const files = found(pages.flatMap((page) => page.files ?? []))
  return pageOf({
    path,
    folders: folders.slice(offset, offset + FOLDER_LIMIT),
    folder_count: folders.length,
    files: files.slice(offset, offset + FOLDER_LIMIT),
    file_count: files.length,
    offset,
    limit: FOLDER_LIMIT,
  })
}
