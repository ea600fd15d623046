import { Faces } from '#client/kit/face/faces.tsx'
import { row } from '#client/kit/layout/layout.ts'
import type { Visit } from '#shared/schemas/home.schemas.ts'
import { nameSome } from '#shared/text/names.ts'
import classes from './visit-line.module.css'

/** Names who posted since the last visit of the member. */
export default function VisitLine({ visit }: { visit: Visit }) {
  const names = visit.people.map(({ displayName }) => displayName)
  return (
    <p className={`${row(8)} ${classes.line}`}>
      <Faces people={visit.people} />
      <span>{nameSome(names, visit.peopleCount)} posted since your last visit</span>
    </p>
  )
}
