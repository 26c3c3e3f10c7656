import { type Button, type Text, words } from '../../message/message.ts'

/** Entries of a list on one page: with two lines each, a phone shows nearly all of it. */
export const ENTRIES_PER_PAGE = 6

interface Page<T> {
  shown: readonly T[]
  /** People count from 1. */
  page: number
  /** At least 1: an empty list has a page too. */
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
  const turn = (label: Text, to: number): Button => ({ label, line: line(to), replace: true })
  return [
    ...(page > 1 ? [turn(words('shown.button.back'), page - 1)] : []),
    ...(page < pages ? [turn(words('shown.button.more'), page + 1)] : []),
  ]
}

/** A button whose answer takes the place of its message, as screens do. */
export function go(label: Text, line: string): Button {
  return { label, line, replace: true }
}
