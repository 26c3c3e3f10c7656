/** A file: its URL, or a plain path. */
export const schemes = ['file', '']
