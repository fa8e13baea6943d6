package text

import (
	"strings"
	"sync"
	"unicode/utf8"
)

// loanwordList lists, after the English word or words (joined by a hyphen), how Korean
// developers write the same: loanwords, and the few Korean words whose notes are
// usually tagged in English. So a Korean prompt finds an English note, and the other
// way round. It leaves out what also begins or ends everyday Korean words, such as
// 인가 (authorization, but also "is it?").
const loanwordList = `
account 계정; action 액션; adapter 어댑터; address 주소; administrator 어드민 관리자 백오피스; agent 에이전트;
aggregate 애그리거트 집계; alarm 알람; alert 경보; algorithm 알고리즘; amazon 아마존; analytics 애널리틱스;
android 안드로이드; angular 앵귤러; annotation 어노테이션 애노테이션; ansible 앤서블; api 에이피아이; apple 애플;
application 앱 어플 애플리케이션 어플리케이션; approval 승인; architecture 아키텍처 아키텍쳐; archive 아카이브;
array 배열; asynchronous 비동기; audit 감사로그; authentication 인증; aws 에이더블유에스; azure 애저;
backend 백엔드; backoff 백오프; backup 백업; barcode 바코드; batch 배치 배치잡; benchmark 벤치마크;
binary 바이너리; blog 블로그; blue-green 블루그린; bluetooth 블루투스; bottleneck 병목; branch 브랜치;
broker 브로커; browser 브라우저; bucket 버킷; budget 예산; buffer 버퍼; bug 버그; build 빌드; builder 빌더;
bundle 번들 번들링 번들러; button 버튼; cache 캐시 캐싱; callback 콜백 콜백함수; canary 카나리; captcha 캡차;
carousel 캐러셀; cart 장바구니 카트; catalog 카탈로그; cdn 시디엔; certificate 인증서; channel 채널; chart 차트;
checkbox 체크박스; checkout 체크아웃; checksum 체크섬; chunk 청크; circuit-breaker 서킷브레이커 브레이커;
class 클래스; cli 커맨드라인; clickhouse 클릭하우스; stripe 스트라이프; client 클라이언트; closure 클로저; cloud 클라우드; cluster 클러스터; code 코드;
cold-start 콜드스타트; column 컬럼 칼럼; command 커맨드 명령어; comment 코멘트 주석; commit 커밋;
compile 컴파일 컴파일러; component 컴포넌트; concurrency 동시성; configuration 설정 컨피그; connection 커넥션;
console 콘솔; consumer 컨슈머; container 컨테이너; context 컨텍스트; controller 컨트롤러; convention 컨벤션;
cookie 쿠키; coroutine 코루틴; cost 비용; coupon 쿠폰; coverage 커버리지; crash 크래시; crawler 크롤러 크롤링;
cron 크론 크론잡; currency 환율; cursor 커서; daemon 데몬; dark-mode 다크모드; dashboard 대시보드; data 데이터;
database 데이터베이스 디비; datadog 데이터독; dataset 데이터셋; deadline 데드라인 마감; deadlock 데드락 교착;
debug 디버그 디버깅; decorator 데코레이터; default 기본값; delivery 배송; dependency 의존성;
dependency-injection 의존성주입; deploy 배포 디플로이 디플로이먼트; design 디자인; dialog 다이얼로그;
directory 디렉터리 디렉토리 폴더; discount 할인; disk 디스크; dns 디엔에스; docker 도커; document 문서 도큐먼트;
domain 도메인; download 다운로드; drag 드래그; driver 드라이버; dropdown 드롭다운; dto 디티오; dump 덤프;
elasticsearch 엘라스틱서치 엘라스틱; email 이메일 메일; embedding 임베딩; encoding 인코딩; encryption 암호화;
endpoint 엔드포인트; engine 엔진; entity 엔티티; enum 열거형; environment 환경변수; error 에러 오류; etl 이티엘;
event 이벤트; event-loop 이벤트루프; event-sourcing 이벤트소싱; excel 엑셀; exception 예외 예외처리;
export 익스포트 내보내기; factory 팩토리; failover 페일오버; fallback 폴백; feature 피처;
feature-flag 피처플래그 기능플래그; field 필드; figma 피그마; file 파일; filter 필터; firewall 방화벽;
firmware 펌웨어; fixture 픽스처; flag 플래그; flutter 플러터; font 폰트; format 포맷 포매팅;
framework 프레임워크; frontend 프런트엔드 프론트엔드 프런트 프론트; function 함수; garbage 가비지;
gateway 게이트웨이; generator 제너레이터; generic 제네릭; git 깃; github 깃허브 깃헙; google 구글;
goroutine 고루틴; gradle 그레이들; grafana 그라파나; graph 그래프; group 그룹; guide 가이드; handler 핸들러;
hardcode 하드코딩; hash 해시 해싱; header 헤더; health-check 헬스체크; heap 힙; helm 헬름; hook 훅;
host 호스트 호스팅; hotfix 핫픽스; hydration 하이드레이션; icon 아이콘; image 이미지; import 임포트;
incident 장애; index 인덱스 색인; infinite-scroll 무한스크롤; infrastructure 인프라; input 인풋;
instance 인스턴스; interface 인터페이스; internationalization 다국어 국제화; interrupt 인터럽트; inventory 재고;
invoice 인보이스 송장; ip 아이피; iphone 아이폰; isolation 격리; issue 이슈; istio 이스티오; iterator 이터레이터;
java 자바; javascript 자바스크립트; jenkins 젠킨스; json 제이슨; kafka 카프카; kakao 카카오 카카오톡 카톡;
kernel 커널; key 키; kibana 키바나; kotlin 코틀린; kubernetes 쿠버네티스 쿠버; label 라벨 레이블; lambda 람다;
latency 레이턴시 지연; layer 레이어; layout 레이아웃; leak 누수; legacy 레거시; library 라이브러리;
license 라이선스 라이센스; limit 한도 제한; link 링크; lint 린트 린터; linux 리눅스; load-balancer 로드밸런서;
load-test 부하테스트; local 로컬; locale 로케일; lock 락; log 로그 로깅; login 로그인; logout 로그아웃;
loop 루프; manager 매니저; mapping 매핑 맵핑; markdown 마크다운; masking 마스킹; master 마스터; maven 메이븐;
member 회원; memory 메모리; menu 메뉴; merge 머지 병합; message 메시지; metadata 메타데이터;
method 메서드 메소드; metric 메트릭 지표; microservice 마이크로서비스; middleware 미들웨어;
migration 마이그레이션; milestone 마일스톤; mobile 모바일; mock 모킹 목킹; modal 모달; model 모델; module 모듈;
mongodb 몽고디비 몽고; monitor 모니터링 모니터; monorepo 모노레포; mutex 뮤텍스; mysql 마이에스큐엘;
namespace 네임스페이스; naming 네이밍; naver 네이버; network 네트워크; nginx 엔진엑스; node 노드 노드제이에스;
notification 알림; notion 노션; object 객체 오브젝트; observer 옵저버; offset 오프셋; oncall 온콜;
open-source 오픈소스; option 옵션; order 주문 주문서; orm 오알엠; otp 오티피; outbox 아웃박스; output 출력;
overflow 오버플로 오버플로우; package 패키지; page 페이지; pagination 페이지네이션 페이징 페이지네이터;
parameter 파라미터 매개변수; parser 파서 파싱; partition 파티션 파티셔닝; password 비밀번호 패스워드; patch 패치;
path 경로; pattern 패턴; payload 페이로드; payment 결제; performance 성능 퍼포먼스; permission 권한;
pipeline 파이프라인; pixel 픽셀; platform 플랫폼; plugin 플러그인; pod 파드; point 포인트; pointer 포인터;
policy 정책; polling 폴링; polyfill 폴리필; port 포트; portfolio 포트폴리오; postgresql 포스트그레스 포스트그레;
postmortem 포스트모템; price 가격; printer 프린터; privacy 개인정보; process 프로세스; producer 프로듀서;
product 상품; prod 프로덕션 운영; profile 프로파일 프로파일링 프로필; program 프로그램 프로그래밍;
project 프로젝트; prometheus 프로메테우스; promise 프로미스; prompt 프롬프트; proto 프로토; protocol 프로토콜;
prototype 프로토타입; proxy 프록시 리버스프록시; pull-request 풀리퀘스트 풀리퀘; push 푸시; python 파이썬;
qr 큐알; query 쿼리; queue 큐 대기열; quota 쿼터; rabbitmq 래빗엠큐; race-condition 레이스컨디션 경쟁상태;
rate-limit 레이트리밋 속도제한; react 리액트; readme 리드미; rebase 리베이스; redirect 리다이렉트; redis 레디스;
refactor 리팩터링 리팩토링; refresh 리프레시; refund 환불; region 리전; regression 회귀; release 릴리스 릴리즈;
rendering 렌더링; replica 레플리카; replication 복제 레플리케이션; report 리포트 보고서;
repository 리포지토리 레포지토리 레포 저장소; request 요청 리퀘스트; reset 리셋; response 응답 리스폰스;
responsive 반응형; restore 복구 복원; retry 재시도 리트라이; review 리뷰 코드리뷰; rollback 롤백; rollout 롤아웃;
router 라우터 라우팅; rule 규칙; runbook 런북; runtime 런타임; rust 러스트; salt 솔트; sample 샘플;
sandbox 샌드박스; scaling 스케일링 오토스케일링 스케일; schedule 스케줄 스케줄러 스케줄링; schema 스키마;
scraping 스크래핑; script 스크립트; search 검색; secret 시크릿; security 보안; segment 세그먼트;
semaphore 세마포어; sensor 센서; sentry 센트리; serialization 직렬화; server 서버; service 서비스;
servlet 서블릿; session 세션; settlement 정산; shard 샤드 샤딩; shell 셸; shipping 배송비; shutdown 셧다운;
signal 시그널; signature 서명; size 사이즈; slack 슬랙; snapshot 스냅샷; socket 소켓; sort 정렬; spinner 스피너;
spring 스프링; sprint 스프린트; sql 에스큐엘; ssl 에스에스엘; sso 싱글사인온; stack 스택; staging 스테이징;
standup 스탠드업; storage 스토리지; store 스토어; stream 스트림 스트리밍; stress 스트레스; string 문자열;
style 스타일; subnet 서브넷; subscription 구독; swagger 스웨거; swift 스위프트; switch 스위치;
synchronize 동기화; system 시스템; table 테이블; tag 태그; task 태스크; tax 세금; template 템플릿; tensor 텐서;
terminal 터미널; terraform 테라폼; test 테스트 테스팅; theme 테마; thread 스레드 쓰레드; threshold 임계값 임계치;
throttle 스로틀링 스로틀; throughput 처리량; thumbnail 썸네일 섬네일; ticket 티켓; timeout 타임아웃;
timezone 타임존 시간대; toast 토스트; token 토큰; tool 툴 도구; tooltip 툴팁; topic 토픽;
tracing 트레이싱 트레이스; traffic 트래픽; transaction 트랜잭션 트랜젝션; translation 번역; trigger 트리거;
tuning 튜닝; type 타입; typescript 타입스크립트; typing 타이핑; ui 유아이; unicode 유니코드; unity 유니티;
update 업데이트; upgrade 업그레이드; upload 업로드; uptime 업타임; url 유알엘; user 유저 사용자;
validation 유효성; variable 변수; vector 벡터; version 버전; video 비디오; volume 볼륨; vpn 브이피엔;
vue 뷰제이에스; warehouse 웨어하우스; web 웹; webhook 웹훅; webpack 웹팩; websocket 웹소켓; widget 위젯;
window 윈도우 윈도; worker 워커; workflow 워크플로 워크플로우; wrapper 래퍼`

// longestLoanword is a number of syllables.
const longestLoanword = 8

// loanwords maps each loanword to its English.
var loanwords = sync.OnceValue(func() map[string]string {
	words := map[string]string{}
	for group := range strings.SplitSeq(loanwordList, ";") {
		english, rest, _ := strings.Cut(strings.TrimSpace(group), " ")
		for loanword := range strings.FieldsSeq(rest) {
			words[loanword] = strings.ReplaceAll(english, "-", " ")
		}
	}
	return words
})

// segment is a part of a Korean word: a loanword, or what stands between loanwords.
type segment struct {
	text    string
	english string // "" if it is no loanword
}

// segments splits a Korean word, at each place by the longest loanword.
func segments(word string) []segment {
	var list []segment
	rest := 0 // start of what is not a loanword
	for i := 0; i < len(word); {
		loan, english := loanwordAt(word, i)
		if loan == "" {
			_, size := utf8.DecodeRuneInString(word[i:])
			i += size
			continue
		}
		if rest < i {
			list = append(list, segment{text: word[rest:i]})
		}
		list = append(list, segment{loan, english})
		i += len(loan)
		rest = i
	}
	if rest < len(word) {
		list = append(list, segment{text: word[rest:]})
	}
	return list
}

// loanwordAt returns the longest loanword at an index, "" for none. One of a single
// syllable counts only if nothing but a particle follows and nothing stands before it,
// since too many words contain the syllable.
func loanwordAt(word string, at int) (loan, english string) {
	syllables := 0
	for i, r := range word[at:] {
		if syllables++; syllables > longestLoanword {
			break
		}
		end := at + i + utf8.RuneLen(r)
		if syllables == 1 && (at > 0 || end < len(word) && !isParticle(word[end:])) {
			continue
		}
		if found := loanwords()[word[at:end]]; found != "" {
			loan, english = word[at:end], found
		}
	}
	return loan, english
}
