import { useState } from 'preact/hooks'
import type { Api, Bucket } from '../api.ts'
import { ActionButton } from '../components/action-button.tsx'
import { Pager } from '../components/paged-table.tsx'
import { SearchIfLong } from '../components/search-field.tsx'
import { NoPermission, Shown } from '../components/states.tsx'
import { bytes, whole } from '../format.ts'
import { typedText, wholeNumber } from '../parameters.ts'
import { may } from '../session.ts'
import { texts } from '../texts.ts'
import { useAddress } from '../use-address.ts'
import { useLoad } from '../use-load.ts'
import { ChangeLimits } from './bucket-form.tsx'
import { Explain } from './explain.tsx'
import { FileTable } from './file-table.tsx'
import { folderPage } from './folder-list.ts'
import { FolderTree } from './folder-tree.tsx'
import { RulesMatrix } from './rules-matrix.tsx'
import { UploadDrop } from './upload-drop.tsx'

interface BucketViewProps {
  readonly api: Api
  readonly bucket: string
  readonly path: string
  readonly onPath: (path: string) => void
}

const EVERY_MS = 5_000
const SHOWN = { search: typedText(), offset: wholeNumber() }

/** A bucket: its quotas, its folders, and the content and rules of one folder. */
export function BucketView({ api, bucket, path, onPath }: BucketViewProps) {
  const [{ search, offset }, setShown] = useAddress(SHOWN)
  const [details, files, configure] = ['details', 'files', 'configure'].map((area) => `bkt:${bucket}:${area}`)
  const quotas = useLoad(may(details ?? '') ? `bucket ${bucket}` : null, () => api.bucket(bucket), {
    everyMs: EVERY_MS,
    keeps: true,
    tags: [`bucket:${bucket}`],
  })
  const read = () => folderPage(api, { bucket, path, search, offset })
  const list = useLoad(may(files ?? '') ? `list ${bucket} ${path} ${search} ${offset}` : null, read, {
    everyMs: EVERY_MS,
    keeps: true,
    tags: [`file:${bucket}`],
  })
  const mayRule = may(configure ?? '')
  const folder = useLoad(mayRule ? `rules ${bucket} ${path}` : null, () => api.folderRules(bucket, path), {
    tags: [`file:${bucket}`],
  })
  return (
    <>
      {quotas.value !== null && <Quotas api={api} bucket={quotas.value} mayChange={mayRule} />}
      <div class="files">
        <FolderTree api={api} bucket={bucket} current={path} onChoose={onPath} />
        <div class="stack">
          <h2 class="wrap">
            <bdi>{path}</bdi>
          </h2>
          <SearchIfLong page={list.value} search={search} onSearch={(text) => setShown({ search: text, offset: 0 })} />
          <UploadDrop api={api} bucket={bucket} folder={path}>
            <Shown of={list}>
              {(page) => (
                <>
                  <FileTable
                    api={api}
                    bucket={bucket}
                    listing={page.listing}
                    onFolder={onPath}
                    isSearch={search !== ''}
                  />
                  <Pager page={page} onOffset={(next) => setShown({ offset: next })} />
                </>
              )}
            </Shown>
          </UploadDrop>
        </div>
      </div>
      <section class="panel" aria-label={texts.files.matrix}>
        <h2>{texts.files.matrix}</h2>
        {mayRule ? (
          <>
            <Shown of={folder}>
              {(ruled) => <RulesMatrix key={JSON.stringify(ruled)} api={api} bucket={bucket} folder={ruled} />}
            </Shown>
            <h3>{texts.files.explanation}</h3>
            <Explain key={path} api={api} bucket={bucket} path={path} />
          </>
        ) : (
          <NoPermission needed={configure ?? ''} />
        )}
      </section>
    </>
  )
}

interface QuotasProps {
  readonly api: Api
  readonly bucket: Bucket
  readonly mayChange: boolean
}

/** How much of a bucket's limits is used. */
function Quotas({ api, bucket, mayChange }: QuotasProps) {
  const [isChanging, setChanging] = useState(false)
  const { quotas } = texts.files
  return (
    <div class="panel">
      <div class="facts">
        <Bar label={quotas.bytes} used={bucket.bytes_used} max={bucket.max_bytes} format={bytes} />
        <Bar label={quotas.files} used={bucket.files} max={bucket.max_files} format={whole} />
        <Bar
          label={quotas.downloads}
          used={bucket.downloaded_this_month}
          max={bucket.monthly_download_bytes}
          format={bytes}
        />
      </div>
      {mayChange && (
        <div class="actions">
          <ActionButton onAct={() => setChanging(true)}>{texts.files.changeLimits}</ActionButton>
        </div>
      )}
      {isChanging && <ChangeLimits api={api} bucket={bucket} onClose={() => setChanging(false)} />}
    </div>
  )
}

interface BarProps {
  readonly label: string
  readonly used: number
  readonly max: number
  readonly format: (value: number) => string
}

function Bar({ label, used, max, format }: BarProps) {
  return (
    <div>
      <div class="label">{label}</div>
      <meter aria-label={label} min={0} max={Math.max(1, max)} high={max * 0.9} value={used} />
      <div class="small number">{texts.files.quotas.of(format(used), format(max))}</div>
    </div>
  )
}
