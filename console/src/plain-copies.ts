// Copies of numbers are plain: digits and a point, as the API writes them, not in the notation of the reader. What is
// selected by hand and dragged elsewhere is a copy, too.

import { plainDecimal } from './decimals.ts'

const NUMBERS = '[data-number]'

/** Call it once. */
export function copyPlainNumbers(): void {
  document.addEventListener('copy', (event) => {
    const text = plainSelection()
    if (text === null || event.clipboardData === null) return
    event.clipboardData.setData('text/plain', text)
    event.preventDefault()
  })
  document.addEventListener('dragstart', (event) => {
    // Otherwise it is an element that is dragged, such as a link.
    const text = event.target instanceof Text ? plainSelection() : null
    if (text !== null) event.dataTransfer?.setData('text/plain', text)
  })
}

/** The text of the selection with plain numbers; null if no number in it looks different. */
function plainSelection(): string | null {
  const selection = getSelection()
  if (selection === null || selection.isCollapsed || selection.rangeCount === 0) return null
  const range = selection.getRangeAt(0)
  const changed = numbersIn(range).filter(({ data }) => plainDecimal(data) !== data)
  if (changed.length === 0) return null
  const { startContainer, startOffset, endContainer, endOffset } = range
  const offsetIn = (node: Node, offset: number) =>
    changed.includes(node as Text) ? plainDecimal((node as Text).data.slice(0, offset)).length : offset
  const [start, end] = [offsetIn(startContainer, startOffset), offsetIn(endContainer, endOffset)]
  const before = changed.map(({ data }) => data)
  // The browser knows how the text of a selection is laid out, with tabs between cells: it reads plain numbers for a
  // moment, before anything is drawn.
  for (const text of changed) text.data = plainDecimal(text.data)
  selection.setBaseAndExtent(startContainer, start, endContainer, end)
  const plain = selection.toString()
  for (const [at, text] of changed.entries()) text.data = before[at] ?? ''
  selection.setBaseAndExtent(startContainer, startOffset, endContainer, endOffset)
  return plain
}

/** The texts of numbers that a range has a part of. */
function numbersIn(range: Range): Text[] {
  const root = range.commonAncestorContainer
  const around = (root instanceof Element ? root : root.parentElement)?.closest(NUMBERS)
  const elements = around ? [around] : root instanceof Element ? [...root.querySelectorAll(NUMBERS)] : []
  return elements
    .filter((element) => range.intersectsNode(element))
    .flatMap((element) => [...element.childNodes].filter((node) => node instanceof Text))
}
