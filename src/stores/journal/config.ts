/** `journal:postgres://…`: a file whose changes are in PostgreSQL before they are in it. */
export const schemes = ['journal']
