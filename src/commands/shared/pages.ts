import {
  type Button,
  codePoints,
  type Item,
  item,
  ITEM_CODE_POINTS,
  type Text,
  text,
} from '../../message/message.ts'

interface Page<T> {
  shown: readonly T[]
  page: number
  pages: number
}

/** One page of a list; a page beyond the last is the last. */
export function pageOf<T>(all: readonly T[], asked: number, size: number): Page<T> {
  const pages = Math.max(Math.ceil(all.length / size), 1)
  const page = Math.min(asked, pages)
  return { shown: all.slice((page - 1) * size, page * size), page, pages }
}

/** Back and forth between pages; `line` is the command that shows one. */
export function pageButtons({ page, pages }: Page<unknown>, line: (page: number) => string): Button[] {
  const turn = (label: string, to: number): Button => ({ label, line: line(to), replace: true })
  return [
    ...(page > 1 ? [turn('‹ Back', page - 1)] : []),
    ...(page < pages ? [turn('More ›', page + 1)] : []),
  ]
}

/** Lines under a title, in as many items as they need. */
export function itemised(title: Text, lines: readonly Text[]): Item[] {
  const items = [item('plain', title)]
  let left = ITEM_CODE_POINTS - codePoints(title)
  for (const line of lines) {
    const needed = codePoints(line) + 1
    if (needed > left) {
      items.push(item('plain', text`${title}, more`))
      left = ITEM_CODE_POINTS - codePoints(title) - ', more'.length
    }
    items.at(-1)?.lines.push(line)
    left -= needed
  }
  return items
}

/** `1 alert`, `2 alerts`. */
export function count(many: number, what: string): string {
  return `${many} ${what}${many === 1 ? '' : 's'}`
}
