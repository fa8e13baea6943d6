package triage

import "memctl/schemas"

// Rule says how one category is recognised. A line with a primary word scores Boosted
// points if a booster is near it, else Points. The score is the sum divided by Full,
// which is the most that all lines together can reach.
type Rule struct {
	Category schemas.Category
	Primary  Words
	Boosters Words
	Points   float64 // per line, for at most maxPlain lines
	Boosted  float64 // per line with a booster, for at most maxBoosted lines
	Full     float64
}

// Words are the words and phrases of one kind.
type Words struct {
	// English ones count as whole words in any case, with any white space between the
	// words of a phrase.
	English []string
	// Korean ones count where a word begins with them, since endings and particles
	// follow without a space; a Latin word may stand before it ("DB오류"). With a "~"
	// they count in the middle of a word too. A space stands for white space or none,
	// as people write both. Each starts with Hangul, so that none can change the score
	// of an English text.
	Korean []string
}

const (
	maxPlain    = 3
	maxBoosted  = 2
	maxDistance = 4 // lines from a primary word to its booster, before or after
)

// Rules lists the categories that are recognised by words, in the order of the answer.
var Rules = [...]Rule{
	{
		Category: schemas.Decision,
		Primary: Words{
			[]string{"decided", "chose", "selected", "went with", "picked"},
			[]string{"결정했", "결정하였", "결정됐", "결정되었", "결정함", "결정됨", "~기로 했", "~기로 하였", "~기로 함", "~기로 결정", "~기로 정했",
				"선택했", "선택하였", "선택함", "채택했", "채택하였", "채택함", "골랐", "확정했", "확정됐", "확정함"},
		},
		Boosters: Words{
			[]string{"because", "due to", "reason", "rationale", "over", "instead of", "rather than"},
			[]string{"~때문에", "~대신", "이유", "근거", "왜냐하면", "~보다는", "덕분에", "고려해", "고려하여", "비교해", "비교하여"},
		},
		Points: 0.3, Boosted: 0.5, Full: 1.9,
	},
	{
		Category: schemas.Runbook,
		Primary: Words{
			[]string{"error", "exception", "traceback", "stack trace", "stacktrace", "failed", "failure", "crash"},
			[]string{"오류", "에러", "실패", "예외", "장애", "크래시", "스택 트레이스", "트레이스백", "비정상 종료", "죽었", "터졌", "고장"},
		},
		Boosters: Words{
			[]string{"fixed by", "resolved", "root cause", "solution", "workaround", "the fix"},
			[]string{"해결", "원인", "고쳤", "고침", "수정했", "수정하였", "수정함", "우회", "조치", "복구", "대처"},
		},
		Points: 0.2, Boosted: 0.6, Full: 1.8,
	},
	{
		Category: schemas.Constraint,
		Primary: Words{
			[]string{"limitation", "api limit", "cannot", "restricted", "not supported", "quota", "rate limit"},
			[]string{"제한", "제약", "한계", "한도", "할당량", "쿼터", "지원하지 않", "지원되지 않", "지원 안 되", "지원 안 됨", "지원이 안", "미지원", "불가능", "금지", "허용되지 않",
				"~할 수 없", "~될 수 없", "~쓸 수 없", "~낼 수 없", "~을 수 없", "~릴 수 없"},
		},
		Boosters: Words{
			[]string{"discovered", "found that", "turns out", "permanently", "enduring", "platform"},
			[]string{"발견", "알고 보니", "알아보니", "확인해 보니", "확인 결과", "밝혀졌", "드러났", "영구", "플랫폼", "정책상", "구조상"},
		},
		Points: 0.3, Boosted: 0.5, Full: 1.9,
	},
	{
		Category: schemas.TechDebt,
		Primary: Words{
			[]string{"TODO", "deferred", "tech debt", "workaround", "hack", "will address later", "technical debt"},
			[]string{"기술 부채", "나중에", "미뤘", "미루기로", "미뤄", "미룸", "보류", "임시", "땜질", "꼼수", "할 일", "추후"},
		},
		Boosters: Words{
			[]string{"because", "for now", "temporary", "acknowledged", "deferring", "cost", "risk"},
			[]string{"~때문에", "일단", "우선은", "당장은", "지금은", "비용", "위험", "리스크", "감수", "인지하고", "알고 있"},
		},
		Points: 0.3, Boosted: 0.5, Full: 1.9,
	},
	{
		Category: schemas.Preference,
		Primary: Words{
			[]string{"always use", "prefer", "convention", "from now on", "standard", "never use", "established"},
			[]string{"항상", "앞으로는", "앞으로도", "선호", "컨벤션", "표준으로", "표준화", "관례", "반드시", "절대로", "절대 쓰지", "절대 사용하지",
				"이제부터", "지금부터", "원칙"},
		},
		Boosters: Words{
			[]string{"agreed", "going forward", "consistently", "rule", "practice", "workflow"},
			[]string{"합의", "동의", "규칙", "일관", "관행", "워크플로", "작업 방식", "통일", "습관", "약속", "쓰기로", "사용하기로"},
		},
		Points: 0.35, Boosted: 0.5, Full: 2.05,
	},
}

// A session summary scores by what was done, not by words.
const (
	toolUsePoints      = 0.05
	distinctToolPoints = 0.1
	exchangePoints     = 0.02
)
