import { once } from './sources.ts'

/** A string is read so that what it holds is no comment; a comment begins a line or follows a space. */
const COMMENT_OR_STRING =
  /'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`|\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*(?:\n[ \t]*\/\/.*)*/gm
/** A sentence ends before a space, not within a figure or an address. */
const END = /(?<=[.!?…]["”’)]?)\s+(?=["“‘(]?[\p{Lu}\p{N}`/])/u
/** These end with a dot, and the sentence goes on. */
const ABBREVIATION = /\b(?:e\.g|i\.e|vs|approx|incl|etc)\./gi

/** The sentences of a file's comments, without their marks. Lines that follow each other are one comment. */
export const sentencesOf = once((text): readonly string[] =>
  [...text.matchAll(COMMENT_OR_STRING)]
    .filter(([found]) => found.startsWith('/'))
    .flatMap(([comment]) => sentencesAmong(withoutMarks(comment))),
)

/** The sentences of a text. An empty line and the mark of a list begin a new one. */
export function sentencesAmong(text: string): string[] {
  return text
    .split(/\n\s*\n|\n(?=[-*] |\d+\. )/)
    .map((paragraph) => paragraph.replaceAll(/\s+/g, ' ').trim())
    .flatMap((paragraph) => paragraph.replace(ABBREVIATION, (short) => short.replaceAll('.', '')).split(END))
    .filter((sentence) => words(sentence) > 0)
}

/** What stands in backticks is one word. */
export function words(sentence: string): number {
  return sentence
    .replaceAll(/`[^`]*`/g, 'code')
    .split(/\s+/)
    .filter((word) => /[\p{L}\p{N}]/u.test(word)).length
}

function withoutMarks(comment: string): string {
  return comment
    .replace(/^\/\*+|\*+\/$/g, '')
    .split('\n')
    .map((line) => line.replace(/^\s*(?:\/\/+|\*+(?!\*))?\s?/, '').trim())
    .join('\n')
}
