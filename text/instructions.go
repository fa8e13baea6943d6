package text

import (
	"strings"
	"sync"
	"unicode/utf8"
)

// The words below say what to do, in which order, and with which part of a text or
// program, but not about what. "Add a comment to the second loop" is the same prompt
// in every project, and hardly any memory is relevant to it but a preference for
// comments. They help to rank what the other words of a prompt find.
//
// The lists hold function words, verbs of instruction, words of courtesy, of quantity,
// order and time, and the parts that any text or program has (line, file, function,
// test, commit). They leave out whatever names a technology, a practice or a thing of
// a project's business, such as deploy or invoice.

// functionWords are not even searched for.
const functionWords = stopWords + `
e f l o s t re ve ll d m us our its their them him his her as than there here some any all more most such only own
same again still even ever now yet already via per vs etc much many each every both few other another while during
before after because until since though although however whether onto upon towards across along among around behind
beside between beyond despite except inside outside throughout under unlike versus off over near past am ours yours
themselves itself yourself myself ie eg`

// instructionWords count in their inflected forms too.
const instructionWords = `
abbreviation able above accident accordingly acronym actual add adjective adjust admit advanced advice afterward
agree ahead align allow alone alphabet alphabetical alright alternative answer anybody anything anyway apart
apostrophe appear apply approach argument arithmetic array arrow ascend ask assign assist assume assumption
asterisk attach attempt available average avoid aware away back background backslash bad bar basic baz beg begin
beginner bell belong below benefit besides best better big bigger biggest bit black blame blank block blue body
bold book boolean bore boring borrow bother bottom brace bracket branch break breathe brief bright brilliant
bring broke brown bug build built bullet bump bunch button bye calculate call calm capitalize careful carry case
casual catch celsius center certain chance change character chat check cheer cheers cherry chill chinese choose
chop circle cite claim clarify class clean cleaner cleanup clear clearer climb clock close code collapse
colleague colon color combine comma command commence comment commit common compare compile complain complete
complicate complicated comprehension compute con concatenate concise conclude conclusion confirm confuse
confused confusing congrats congratulate congratulations consequence consider consistent console constant
content continue convert convince cool cope copy correct count couple cover create cry curious current cut cute
dare dark dash date day debug decide decimal declare decorate decrease decrement dedent define delete deliver
demonstrate descend describe descriptive deserve desire detail developer diagram dictionary diff difference
different difficult digit direct dirty discover discuss dislike divide docstring document done double doubt
downside dozen draft draw drawback dream drink drop dull dump earlier early earn easier easy edge edit editor
eight eighty either elaborate elegant embarrass emoji emphasize empty encourage end english enjoy enlarge enough
ensure enter entire error escape especially essay evaluate evening eventually everyone everything everywhere
exact exaggerate examine example excuse execute existing exit expand expect expert explain explanation explicit
explore expression extra extract face factorial fahrenheit fail fake fancy far fast faster favorite favourite
fear feel fetch fibonacci field fight figure file fill final find fine finish first fit five fix focus folder
follow foo fool force forget formal format former forty forward found four fraction freeze french fresh friend
full fully fun function funny furthermore gap gather gave general generate gentle german give glance go goal
gone gonna good goodbye got grab grammar gray great green greet grey grip gross grow guess guide guideline hacky
half hand handle hang happen happy hard harder hate head heading hear hello helper helpful hence hey hi high
highlight hint hmm hold honest hope hour hundred hunt hurray hurry hyphen idea identify idiomatic ignore
illustrate imagine impact implement important improve include increase increment indent indentation inform
initial inline inner input inquire insert insist inspect inspire install instantiate instead instruction integer
intend interest intermediate interpolate introduce invent investigate invoke involve issue italic item iterate
japanese job join joke jump junior justify keep kept kill kind knock korean language large largest last late
later latest latter laugh lay lazy leading lean learn least leave left less lesson letter level lie life lift
likely line liner list listen little load log long longer longest look loop lose lot loud love lovely low
lowercase luck mad made main maintainable majority manage manually mark match maximum maybe mean meaning
meaningful meant meanwhile median memo mention merge mess message messy method middle mind mine minimum minor
minute missing mistake mix modern modest modify module moment month moreover morning mostly motivate move
multiple multiply mysterious nah name nasty near neat necessary need negative nervous nest neutral new newline
next nice nicer nine nobody none nope normal note nothing notice noun null number object oblige observe obvious
occur occurrence odd off often ok okay old omit once one oops open opinion option orange order organise organize
original otherwise outcome outer outline output overall overlook overview owe pad page pair palindrome panic
paper paragraph parameter paraphrase parenthesis part pass paste path pause pen perfect perform perhaps permit
persuade phrase pick pink place plain play pleasure plenty plural point polish polite positive possess possible
post practice pray predict prefer prepare prepend press pretend pretty previous principle print pro probably
problem proceed program project promise prompt proof proper propose proud prove provide provoke pull purple
purpose pursue push put qualify quality quarrel quarter question quick quicker quit quite quote raise ran random
rare rather reach react read readability readable readme ready real realize rearrange reason recap receive
recent recheck recommend rectify recursion recursive red redo reduce refactor reference refine reformat
reformulate regard regret regular reject related relax relevant relieve rely remainder remaining remember remind
remove rename reorder reorganize repeat rephrase replace reply request rerun rescue research resize resolve
respect rest restart restore restructure result retry return reveal reverse revert review revise rewrite rich
rid right rotate rough round row rude ruin rule run rush sad safe said sake satisfied save say scan scare scary
scratch screen screenshot script scroll second section seek seem selected semicolon send senior sense sent
sentence separate serious set seven several shape share sharp shift shine short shorten shorter shortest shout
show shrink shuffle shy sick side sign silly similar simple simpler simplify simply sincere sing single singular
six size sketch skip slash sleep slice slightly slow slower small smaller smallest smart smell smile smooth snag
snippet software solid solution solve somebody somehow someone something sometimes somewhere soon sorry sort
sour space spanish spare speak specific specify speed spelling spend split spoil spot squash stage start stash
statement stay step stick stop story straight straightforward strange streamline strict string strip strong
struggle stuck stuff stupid style subtract succeed sudden suggest suitable sum summarise summarize summary super
suppose sure surprise swap sweet switch syllable synonym syntax tab table take talk task teach team teammate
tease tell temporary tempt ten tend tense terminal terse test text thank therefore thin thing third thorough
thought threaten three through thus tidy tie tight time tiny tip tire today todo together told tomorrow tone
tonight took tool top topic total touch tough toward trail translate treat trick tricky trim trivial trouble
true truly trust try tuple turn tutorial tweak twice two type typical typo ugh ugly uh ultimate um unclear
uncomment underline underscore understand undo unfortunately unindent unique unit unless unnecessary unused
update upper uppercase upset upside urge useful useless usual vague value variable various vary vast verb
verbose verify version view visit vivid vocabulary vowel wait wake walk wander wanna warm warn waste watch way
week weird welcome well whatever whenever wherever whichever whisper whistle white whitespace whoever whole wide
width wild win wipe wise wish within without wonder wonderful word work world worry worse worst wow wrap write
written wrong wrote yeah year yellow yep yesterday young zero zip`

// commonWords are things that programs of any kind have, such as the parts of a user
// interface. "Add a toggle to the settings page" is about them, but so are tasks that have
// nothing to do with a memory that mentions a page. They count in their inflected forms
// too, and in Korean, where those that are instructions in English are things. What a
// project may decide about is left out: cache, deploy, search.
const commonWords = `
account action address admin administrator age alert animation api app application article async asynchronous avatar
await backend badge banner blog browser button calculator calendar callback card chart checkbox client color colour
column component config configuration counter css csv data database date desktop dev development dialog directory
download dropdown element email endpoint environment event feature filename footer form framework frontend gallery
game graph grid header home homepage html http icon image input item json key keyboard label layout library link
login logo logout mail map menu mobile modal mode mouse navbar navigation parse parser password person phone photo
picture popup profile register score screen server service setting settings sidebar site slider spinner sql
stylesheet system tag task theme throw timer toast toggle toolbar tooltip tree type upload url user username
validate validation web webpage website widget window xml yaml`

// instructionBeginnings begin Korean instructions, since Korean words change at their
// end. Longer loanwords go first. Particles of two syllables are here too, for they
// are left over where a loanword ends.
const instructionBeginnings = `
가끔 가능 가르 가운데 가장 가지 각각 간단 갈까 감사 같아 같은 같이 개발자 개선 개요 거기 거꾸 거야 거의 건가 건지 걸려 걸리
검토 것들 결과 경우 계산 계속 고마 고생 고쳐 고치 공백 공부 과정 관련 괄호 구해 구현 굵게 궁금 그거 그건 그걸 그것 그게
그냥 그대로 그래 그런 그럼 그렇 그리고 그림 그만 근데 글자 금방 기억 길게 길어 김에 까지 깔끔 께서 나가 나누 나눠 나는 나쁘
나오 나와 나은 나중 날씨 내가 내려 내리 내용 내일 너무 넘기 넘어 넣어 네가 농담 누가 누구 느낌 늘려 늘리 다듬 다른 다시
다음 단계 단어 단점 달아 답변 대답 대략 대신 대안 대한 대해 도와 도움 도표 돌려 돌리 돌아 동안 됐나 됐는 됐어 되게 되나
되네 되는 되돌 되면 되었 된거 된건 된다 될까 됩니 두번 두줄 뒤집 들어 들여쓰기 들은 들을 들의 들이 등등 따라 따로 때문 또는 띄어쓰기
라고 라는 라도 라면 려면 로는 로도 마다 마지막 막으 만든 만들 만약 만일 말고 말투 맞게 맞나 맞는 맞지 맞춤법 맞춰 매우 먼저
멈추 멈춰 메서드 메시지 모두 모듈 모든 모르 목록 목차 무슨 무엇 문법 문장 문제 뭐가 뭐라 뭐야 뭐하 뭔지 미안 바꾸 바꿀 바꿔
바로 반대 반드시 반복 방금 방법 방식 방향 배열 배우 버그 버전 번역 번째 벌써 변경 변수 보기 보다 보여 복사 볼까 볼래 봐라
봐줘 부분 부탁 부터 분석 불필 붙여 브랜치 비교 비어 빌드 빨리 빼고 뽑아 사람 사용 사이 삭제 살짝 상황 새로 생각 생성 설명
성공 세번 세줄 수고 수정 순서 숫자 쉬운 스크립트 습니 시간 시도 시작 시험 실패 실행 싶어 싶은 아까 아는 아니 아닌 아님 아래
아마 아무 아이디어 아주 아직 안녕 안돼 안되 안된 안됨 알려 약간 어느 어디 어떤 어떻게 어려 어제 언급 언제 얼른 얼마 없는 없애
없어 없이 에게 에는 에도 에러 에만 에서 여기 열어 영어 예를 예쁘 예쁜 예시 예전 예제 오늘 오류 오른쪽 오타 올려 올리 옮겨
옮기 완료 완전 왜냐 왼쪽 요약 요즘 요청 우리 우린 우선 원래 원하 원한 위로 위치 위한 위해 으로 의견 의도 의미 이거 이건
이걸 이것 이게 이고 이나 이대로 이동 이라 이란 이랑 이런 이렇 이름 이며 이미 이번 이상 이야 이유 이전 이제 이지 이하 이해
인데 인지 일단 임포트 입니 입력 있나 있는 있어 있으 자세 자주 작성 작업 작은 잠깐 장점 재귀 재미 저거 저걸 저기 저는 저번
저장 적당 적용 전에 전체 점검 점심 정도 정렬 정리 정말 정중 제가 제거 제대로 제시 제외 제일 조금 조심 조언 조차 종류 주석
주의 줄바꿈 줄여 줄이 중간 중단 중복 지금 지난 지우 지워 직접 진짜 진행 질문 짜줘 쪼개 차례 차이 찾아 처럼 처리 처음 천 천천
초안 최근 최대 최소 추가 추천 출력 취소 친절 커밋 커지 코드 콤마 클래스 테스트 통과 통해 특징 파일 페이지 평균 포함 표로 풀어
필요 하게 하고 하나 하는 하니 하던 하라 하려 하루 하면 하세 하십 하자 하지 한국어 한글 한번 한줄 한테 할게 할까 할께 할래
함께 함수 합계 합니 합쳐 합치 항상 해결 해도 해라 해보 해볼 해봐 해야 해주 해줄 해줘 했는 했던 했어 헷갈 형식 혹시 혼자 확인 훨씬`

// instructionSyllables are Korean instructions of one syllable, alone or with a
// particle.
const instructionSyllables = `
각 값 같 개 거 걸 것 게 그 긴 꼭 끝 나 내 너 넣 네 닫 더 덜 데 돼 됐 되 된 될 두 등 때 또 뜻 많 말 맞 못 묶 뭐 뭔 뭘 및 번 보 본 볼 봐 빈
빼 새 색 세 수 쉽 싶 써 쓰 쓸 안 않 알 없 옳 왜 위 이 읽 있 잊 작 잘 저 좀 좋 주 줄 줘 짜 짧 쪽 찾 채 척 첫 크 큰 탭 틀 한 할 함 합 해 했`

// particles of one syllable are attached to Korean nouns.
const particles = "은는이가을를에의로와과도만요야나지"

var (
	stopWordSet             = wordSet(stopWords)
	functionWordSet         = wordSet(functionWords)
	instructionWordSet      = wordSet(instructionWords)
	commonWordSet           = wordSet(commonWords)
	instructionBeginningSet = wordSet(instructionBeginnings)
	instructionSyllableSet  = wordSet(instructionSyllables)
)

// wordSet makes a set of the words of a list at its first use.
func wordSet(list string) func() map[string]bool {
	return sync.OnceValue(func() map[string]bool {
		set := map[string]bool{}
		for word := range strings.FieldsSeq(list) {
			set[word] = true
		}
		return set
	})
}

// isFunctionWord expects a word in lower case.
func isFunctionWord(word string) bool { return functionWordSet()[word] }

// isInstruction expects a word in lower case.
func isInstruction(word string) bool { return hasForm(instructionWordSet(), word) }

// isCommon expects a word in lower case. Small numbers are common too.
func isCommon(word string) bool { return isSmallNumber(word) || hasForm(commonWordSet(), word) }

func isSmallNumber(word string) bool { return len(word) < 3 && strings.Trim(word, "0123456789") == "" }

// hasForm reports whether a word is an inflected form of one of the words.
func hasForm(words map[string]bool, word string) bool {
	if words[word] {
		return true
	}
	for _, ending := range [...]struct{ text, replacement string }{
		{"s", ""}, {"es", ""}, {"ies", "y"}, {"ed", ""}, {"ed", "e"}, {"ied", "y"}, {"ing", ""}, {"ing", "e"}, {"ly", ""},
	} {
		stem, ok := strings.CutSuffix(word, ending.text)
		if ok && len(stem) > 2 && (words[stem+ending.replacement] || words[withoutDoubling(stem)]) {
			return true
		}
	}
	return false
}

// withoutDoubling makes "stop" of the "stopp" of "stopped".
func withoutDoubling(stem string) string {
	if n := len(stem); stem[n-1] == stem[n-2] {
		return stem[:n-1]
	}
	return stem
}

// isKoreanInstruction expects a Korean word without its loanwords.
func isKoreanInstruction(word string) bool {
	_, first := utf8.DecodeRuneInString(word)
	if rest := word[first:]; (rest == "" || isParticle(rest)) && instructionSyllableSet()[word[:first]] {
		return true
	}
	beginnings := instructionBeginningSet()
	for i := range word {
		if i > first && beginnings[word[:i]] {
			return true
		}
	}
	return beginnings[word]
}

func isParticle(s string) bool {
	return utf8.RuneCountInString(s) == 1 && strings.Contains(particles, s)
}
