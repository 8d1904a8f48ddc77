import type { Bucket } from '../api.ts'
import { bytes, whole } from '../format.ts'
import { texts } from '../texts.ts'

/** How much of a bucket's limits is used. */
export function QuotaBars({ bucket }: { readonly bucket: Bucket }) {
  const { quotas } = texts.files
  return (
    <div class="facts panel">
      <Bar label={quotas.bytes} used={bucket.bytes_used} max={bucket.max_bytes} format={bytes} />
      <Bar label={quotas.files} used={bucket.files} max={bucket.max_files} format={whole} />
      <Bar
        label={quotas.downloads}
        used={bucket.downloaded_this_month}
        max={bucket.monthly_download_bytes}
        format={bytes}
      />
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
