import { look, row, stack } from '#client/kit/layout/layout.ts'
import { WorkBar } from '#client/kit/list/work-bar.tsx'

export default function ExportProgress({ percent }: { percent: number }) {
  return (
    <div className={stack(8)}>
      <p className={row(12, 'between')}>
        <span>Preparing your download...</span>
        <span className={look('muted')}>{percent}%</span>
      </p>
      <WorkBar label="Preparing your download" percent={percent} />
      <p className={look('note')}>You can leave this page. The bell tells you when it is ready.</p>
    </div>
  )
}
