import { column, look, row } from '#client/kit/layout/layout.ts'
import { LinkButton } from '../kit/control/link-button.tsx'
import { Mark } from '../kit/mark.tsx'
import { PageTitle } from '../kit/page-title.tsx'
import classes from './not-found-page.module.css'

export function NotFoundPage() {
  return (
    <div className={`${row(0, 'middle')} ${classes.page}`}>
      <PageTitle title="Page Not Found" />
      <section className={`${column(0, 'centre', 'framed')} ${classes.card}`}>
        <div className={`${row(8)} ${classes.number}`} aria-hidden="true">
          4<Mark size={88} />4
        </div>
        <h1 className={look('size22')}>
          <span className="visually-hidden">404 </span>Page Not Found
        </h1>
        <p className={classes.text}>There is nothing at this address. It may have moved.</p>
        <LinkButton to="/">Return to Home</LinkButton>
      </section>
    </div>
  )
}
