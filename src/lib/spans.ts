/** Words, and parts of a text that are more than words. */
export type Spans<Part> = (string | Part)[]

/** Adds to a text; words that follow words are one span. In place: very many are made when all are told at once. */
export function addSpan<Part extends object>(all: Spans<Part>, span: string | Part): void {
  const last = all.at(-1)
  if (typeof span === 'string' && typeof last === 'string') all[all.length - 1] = last + span
  else if (span !== '') all.push(span)
}

/** Mere words are a string. */
export function ofSpans<Part extends object>(all: Spans<Part>): string | Spans<Part> {
  const [only = ''] = all
  return all.length < 2 && typeof only === 'string' ? only : all
}
