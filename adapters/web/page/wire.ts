import type { Course, Glance } from '../../../src/chat/holdings.ts'
import type { FormView } from '../answer/forms.ts'
import type { View } from '../answer/view.ts'

// The JSON between the page and Perch, by the types of the side that writes it.

export type { Course, FormView, Glance }
export type MessageView = View
export type ItemView = View['items'][number]
export type ButtonView = View['buttons'][number]
export type TextView = ItemView['title']
export type FieldView = FormView['fields'][number]
